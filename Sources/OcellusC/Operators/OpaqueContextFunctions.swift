// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// The C headers document these functions.

public import CTensorFlowLite
import OcellusHandles
import OcellusModelFile

// TfLiteOpaqueContext…: the structures of `TfLiteContext` without access to their fields.

@c @implementation public func TfLiteOpaqueContextGetExecutionPlan(
  _ context: OpaquePointer?,
  _ plan: UnsafeMutablePointer<UnsafeMutablePointer<TfLiteIntArray>?>?
) -> TfLiteStatus {
  guard let graph = GraphContext.at(opaque: context), let plan else { return kTfLiteError }
  plan.pointee = graph.executionPlan
  return kTfLiteOk
}

@c @implementation public func TfLiteOpaqueContextGetNodeAndRegistration(
  _ context: OpaquePointer?, _ index: Int32, _ node: UnsafeMutablePointer<OpaquePointer?>?,
  _ registration: UnsafeMutablePointer<OpaquePointer?>?
) -> TfLiteStatus {
  guard let found = GraphContext.at(opaque: context)?.node(Int(index)) else { return kTfLiteError }
  node?.pointee = OpaquePointer(found.node)
  registration?.pointee =
    found.registration.pointee.registration_external ?? found.object.pointer
  return kTfLiteOk
}

@c @implementation public func TfLiteOpaqueContextReplaceNodeSubsetsWithDelegateKernels(
  _ context: OpaquePointer?, _ registration: OpaquePointer?,
  _ nodes: UnsafePointer<TfLiteIntArray>?, _ delegate: UnsafeMutablePointer<TfLiteOpaqueDelegate>?
) -> TfLiteStatus {
  GraphContext.at(opaque: context)?.refuseDelegation(of: nodes) ?? kTfLiteError
}

@c @implementation public func TfLiteOpaqueContextGetOpaqueTensor(
  _ context: OpaquePointer?, _ index: Int32
) -> OpaquePointer? {
  GraphContext.at(opaque: context)?.tensors[Int(index)].map { OpaquePointer($0) }
}

/// Stores the address and the count of a list.
private func show(
  _ numbers: CIntegers?, _ elements: UnsafeMutablePointer<UnsafePointer<Int32>?>?,
  _ count: UnsafeMutablePointer<Int32>?
) -> TfLiteStatus {
  guard let numbers, let elements, let count else { return kTfLiteError }
  elements.pointee = numbers.pointer
  count.pointee = Int32(numbers.count)
  return kTfLiteOk
}

@c @implementation public func TfLiteOpaqueContextGetInputs(
  _ context: OpaquePointer?, _ elements: UnsafeMutablePointer<UnsafePointer<Int32>?>?,
  _ count: UnsafeMutablePointer<Int32>?
) -> TfLiteStatus { show(GraphContext.at(opaque: context)?.inputs, elements, count) }

@c @implementation public func TfLiteOpaqueContextGetOutputs(
  _ context: OpaquePointer?, _ elements: UnsafeMutablePointer<UnsafePointer<Int32>?>?,
  _ count: UnsafeMutablePointer<Int32>?
) -> TfLiteStatus { show(GraphContext.at(opaque: context)?.outputs, elements, count) }

@c @implementation public func TfLiteOpaqueContextGetVariables(
  _ context: OpaquePointer?, _ elements: UnsafeMutablePointer<UnsafePointer<Int32>?>?,
  _ count: UnsafeMutablePointer<Int32>?
) -> TfLiteStatus { show(GraphContext.at(opaque: context)?.variables, elements, count) }

@c @implementation public func TfLiteOpaqueContextGetNumNodes(_ context: OpaquePointer?) -> Int {
  GraphContext.at(opaque: context)?.record.operators.count ?? 0
}

@c @implementation public func TfLiteOpaqueContextGetNumTensors(_ context: OpaquePointer?) -> Int {
  GraphContext.at(opaque: context)?.tensors.count ?? 0
}

@c @implementation public func TfLiteOpaqueContextGetName(
  _ context: OpaquePointer?
) -> UnsafePointer<CChar>? { GraphContext.at(opaque: context)?.name.pointers[0] }

@c @implementation public func TfLiteOpaqueContextResizeTensor(
  _ context: OpaquePointer?, _ tensor: OpaquePointer?,
  _ shape: UnsafeMutablePointer<TfLiteIntArray>?
) -> TfLiteStatus {
  guard let graph = GraphContext.at(opaque: context) else {
    TfLiteIntArrayFree(shape)
    return kTfLiteError
  }
  return graph.resize(tensor.map { UnsafeMutablePointer($0) }, to: shape)
}

@c @implementation public func TfLiteOpaqueContextAcquireSubgraphContext(
  _ context: OpaquePointer?, _ index: Int32, _ acquired: UnsafeMutablePointer<OpaquePointer?>?
) -> TfLiteStatus {
  guard let graph = GraphContext.at(opaque: context)?.graph(Int(index)), let acquired else {
    return kTfLiteError
  }
  acquired.pointee = OpaquePointer(graph.context)
  return kTfLiteOk
}

@c @implementation public func TfLiteOpaqueContextReleaseSubgraphContext(
  _ context: OpaquePointer?, _ index: Int32
) -> TfLiteStatus {
  GraphContext.at(opaque: context)?.graph(Int(index)) == nil ? kTfLiteError : kTfLiteOk
}

@c @implementation public func TfLiteOpaqueContextMarkSubgraphAsDelegationSkippable(
  _ context: OpaquePointer?, _ index: Int32
) -> TfLiteStatus {
  // The main subgraph cannot be skipped.
  guard index > 0 else { return kTfLiteError }
  return TfLiteOpaqueContextReleaseSubgraphContext(context, index)
}

@c @implementation public func TfLiteOpaqueContextGetNodeInitDataMmapInfo(
  _ context: OpaquePointer?, _ node: OpaquePointer?, _ file: UnsafeMutablePointer<Int32>?,
  _ offset: UnsafeMutablePointer<Int64>?, _ size: UnsafeMutablePointer<Int64>?
) -> TfLiteStatus { kTfLiteError }

@c @implementation public func TfLiteOpaqueContextGetMetadata(
  _ context: OpaquePointer?, _ name: UnsafePointer<CChar>?,
  _ bytes: UnsafeMutablePointer<UnsafePointer<CChar>?>?, _ count: UnsafeMutablePointer<Int>?
) -> TfLiteStatus {
  GraphContext.at(opaque: context)?.showMetadata(name, bytes, count) ?? kTfLiteError
}

@c @implementation public func TfLiteOpaqueContextGetExternalContext(
  _ context: OpaquePointer?, _ external: UnsafeMutablePointer<UnsafeMutableRawPointer?>?,
  _ type: TfLiteExternalContextType
) -> TfLiteStatus {
  guard let graph = GraphContext.at(opaque: context), let external else { return kTfLiteError }
  external.pointee = graph.external(type).map { UnsafeMutableRawPointer($0) }
  return kTfLiteOk
}

@c @implementation public func TfLiteOpaqueContextGetSizeOfType(
  _ context: OpaquePointer?, _ type: TfLiteType, _ size: UnsafeMutablePointer<Int>?
) -> TfLiteStatus {
  guard let size, let bitWidth = type.tensorType?.bitWidth else {
    size?.pointee = 0
    return kTfLiteError
  }
  size.pointee = (bitWidth + 7) / 8
  return kTfLiteOk
}
