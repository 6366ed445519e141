import CTensorFlowLite
import OcellusHandles
import OcellusModelFile
import OcellusPlatform

extension TfLiteContext {
  /// Creates the structure that operators receive, with functions that lead back to the graph.
  init(graph: GraphContext) {
    self.init()
    impl_ = UnsafeMutableRawPointer(graph.pointer)
    tensors_size = graph.tensors.count
    tensors = graph.tensors.base
    recommended_num_threads = Int32(clamping: graph.threads)
    GetExecutionPlan = { context, plan in
      TfLiteOpaqueContextGetExecutionPlan(OpaquePointer(context), plan)
    }
    ResizeTensor = { context, tensor, shape in
      GraphContext.at(context)?.resize(tensor, to: shape) ?? kTfLiteError
    }
    ReportError = variadicReport
    AddTensors = { context, count, first in
      GraphContext.at(context)?.addTensors(Int(count), first) ?? kTfLiteError
    }
    GetNodeAndRegistration = { context, index, node, registration in
      guard let found = GraphContext.at(context)?.node(Int(index)) else { return kTfLiteError }
      node?.pointee = found.node
      registration?.pointee = found.registration
      return kTfLiteOk
    }
    ReplaceNodeSubsetsWithDelegateKernels = { context, _, nodes, _ in
      GraphContext.at(context)?.refuseDelegation(of: nodes) ?? kTfLiteError
    }
    ResizeTensorExplicit = { context, tensor, rank, shape in
      let list = TfLiteIntArray.allocate(rank)
      for axis in 0..<max(Int(rank), 0) { list?.elements[axis] = shape?[axis] ?? 0 }
      return GraphContext.at(context)?.resize(tensor, to: list) ?? kTfLiteError
    }
    GetTensor = { context, index in GraphContext.at(context)?.tensors[Int(index)] }
    GetModelMetadata = { context, name, bytes, count in
      GraphContext.at(context)?.showMetadata(name, bytes, count) ?? kTfLiteError
    }
    AcquireSubgraphContext = { context, index, acquired in
      guard let graph = GraphContext.at(context)?.graph(Int(index)) else { return kTfLiteError }
      acquired?.pointee = graph.context
      return kTfLiteOk
    }
    ReleaseSubgraphContext = { context, index in
      GraphContext.at(context)?.graph(Int(index)) == nil ? kTfLiteError : kTfLiteOk
    }
    GetExternalContext = { context, type in GraphContext.at(context)?.external(type) }
    SetExternalContext = { context, type, external in
      GraphContext.at(context)?.setExternal(type, external)
    }
    setUnsupportedFunctions()
  }

  /// Sets the functions for microcontrollers and delegation, which are not supported here.
  private mutating func setUnsupportedFunctions() {
    AllocatePersistentBuffer = { _, _ in nil }
    AllocateBufferForEval = { _, _, _ in kTfLiteError }
    RequestScratchBufferInArena = { _, _, _ in kTfLiteError }
    GetScratchBuffer = { _, _ in nil }
    PreviewDelegatePartitioning = { _, _, partitions, count in
      partitions?.pointee = nil
      count?.pointee = 0
      return kTfLiteOk
    }
    GetEvalTensor = { _, _ in nil }
  }
}

extension GraphContext {
  /// Resizes a tensor and takes ownership of `list`, also if it fails.
  func resize(
    _ tensor: UnsafeMutablePointer<TfLiteTensor>?, to list: UnsafeMutablePointer<TfLiteIntArray>?
  ) -> TfLiteStatus {
    guard let tensor, let list else {
      free(list)
      return kTfLiteError
    }
    let shape = numbers(UnsafePointer(list))
    let status = shape == tensor.shape && tensor.isFilled ? kTfLiteOk : makeRoom(tensor, shape)
    if status == kTfLiteOk {
      tensor.setShape(list)
    } else if list != tensor.pointee.dims {
      free(list)
    }
    return status
  }

  /// Changes a tensor's memory and number of bytes for a new shape.
  private func makeRoom(
    _ tensor: UnsafeMutablePointer<TfLiteTensor>, _ shape: [Int]
  ) -> TfLiteStatus {
    guard tensor.pointee.allocation_type != kTfLiteMmapRo else {
      reporter.report("Attempting to resize a fixed-size tensor.")
      return kTfLiteError
    }
    if tensor.hasFixedElements {
      guard let byteCount = tensor.pointee.type.tensorType?.byteCount(shape: shape) else {
        reporter.report("BytesRequired number of bytes overflowed.")
        return kTfLiteError
      }
      guard TfLiteTensorRealloc(byteCount, tensor) == kTfLiteOk else {
        reporter.report("There is no memory for \(byteCount) bytes.")
        return kTfLiteError
      }
      tensor.pointee.bytes = byteCount
    }
    if !tensor.isDynamic { tensor.pointee.data.data = nil }
    return kTfLiteOk
  }

  /// Adds tensors and updates the count in the structure that operators read.
  func addTensors(_ count: Int, _ first: UnsafeMutablePointer<Int32>?) -> TfLiteStatus {
    guard let added = tensors.add(count) else {
      reporter.report("An operator wants \(count) tensors more, which are too many.")
      return kTfLiteError
    }
    context.pointee.tensors_size = tensors.count
    first?.pointee = Int32(added)
    return kTfLiteOk
  }

  /// Refuses delegation of nodes; a delegate that asks for no nodes succeeds.
  func refuseDelegation(of nodes: UnsafePointer<TfLiteIntArray>?) -> TfLiteStatus {
    if numbers(nodes).isEmpty { return kTfLiteOk }
    reporter.report("Delegates cannot take over nodes in this library.")
    return kTfLiteError
  }
}
