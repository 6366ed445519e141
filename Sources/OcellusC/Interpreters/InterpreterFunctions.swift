// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// The C headers document these functions.

public import CTensorFlowLite
import OcellusEngine
import OcellusHandles

// TfLiteInterpreter…: the functions of c_api.h.

private func create(
  _ model: OpaquePointer?, _ options: OpaquePointer?, usesEngine: Bool
) -> OpaquePointer? {
  guard let model = SharedModel.at(model) else { return nil }
  let options = RunOptions.at(options)?.values ?? RunOptions.Values()
  return InterpreterObject(model, options: options, usesEngine: usesEngine)?.retained()
}

@c @implementation public func TfLiteInterpreterCreate(
  _ model: OpaquePointer?, _ options: OpaquePointer?
) -> OpaquePointer? { create(model, options, usesEngine: true) }

@c @implementation public func TfLiteInterpreterCreateWithSelectedOps(
  _ model: OpaquePointer?, _ options: OpaquePointer?
) -> OpaquePointer? { create(model, options, usesEngine: false) }

@c @implementation public func TfLiteInterpreterDelete(_ interpreter: OpaquePointer?) {
  InterpreterObject.at(interpreter)?.close()
  InterpreterObject.release(interpreter)
}

/// Returns the main subgraph of an interpreter.
private func main(_ interpreter: OpaquePointer?) -> RunningGraph? {
  InterpreterObject.at(interpreter)?.main
}

/// Returns the tensor index at a position of a list, or `nil` if the list is shorter.
private func tensorIndex(_ list: CIntegers?, _ position: Int32) -> Int? {
  guard let list, position >= 0, position < list.count else { return nil }
  return Int(list.pointer[Int(position)])
}

// MARK: Inputs and outputs

@c @implementation public func TfLiteInterpreterGetInputTensorCount(
  _ interpreter: OpaquePointer?
) -> Int32 { Int32(main(interpreter)?.graph.inputs.count ?? 0) }

@c @implementation public func TfLiteInterpreterInputTensorIndices(
  _ interpreter: OpaquePointer?
) -> UnsafePointer<Int32>? { main(interpreter)?.graph.inputs.pointer }

@c @implementation public func TfLiteInterpreterGetInputTensor(
  _ interpreter: OpaquePointer?, _ position: Int32
) -> UnsafeMutablePointer<TfLiteTensor>? {
  guard let main = main(interpreter), let index = tensorIndex(main.graph.inputs, position) else {
    return nil
  }
  return main.tensor(at: index)
}

@c @implementation public func TfLiteInterpreterGetOutputTensorCount(
  _ interpreter: OpaquePointer?
) -> Int32 { Int32(main(interpreter)?.graph.outputs.count ?? 0) }

@c @implementation public func TfLiteInterpreterOutputTensorIndices(
  _ interpreter: OpaquePointer?
) -> UnsafePointer<Int32>? { main(interpreter)?.graph.outputs.pointer }

@c @implementation public func TfLiteInterpreterGetOutputTensor(
  _ interpreter: OpaquePointer?, _ position: Int32
) -> UnsafePointer<TfLiteTensor>? {
  guard let main = main(interpreter), let index = tensorIndex(main.graph.outputs, position) else {
    return nil
  }
  return UnsafePointer(main.tensor(at: index))
}

@c @implementation public func TfLiteInterpreterGetTensor(
  _ interpreter: OpaquePointer?, _ index: Int32
) -> UnsafeMutablePointer<TfLiteTensor>? { main(interpreter)?.tensor(at: Int(index)) }

@c @implementation public func TfLiteInterpreterGetInputTensorIndex(
  _ interpreter: OpaquePointer?, _ position: Int32
) -> Int32 { Int32(tensorIndex(main(interpreter)?.graph.inputs, position) ?? -1) }

@c @implementation public func TfLiteInterpreterGetOutputTensorIndex(
  _ interpreter: OpaquePointer?, _ position: Int32
) -> Int32 { Int32(tensorIndex(main(interpreter)?.graph.outputs, position) ?? -1) }

// MARK: Running

/// Returns the shape that a program passes, or reports an invalid one and returns `nil`.
func shape(
  _ extents: UnsafePointer<Int32>?, _ rank: Int32, for graph: RunningGraph
) -> [Int]? {
  guard rank >= 0, rank <= Shape.largestRank else { return nil }
  guard rank == 0 || extents != nil else {
    graph.graph.reporter.report("ResizeInputTensor was given a NULL shape.")
    return nil
  }
  return UnsafeBufferPointer(start: extents, count: Int(rank)).map { Int($0) }
}

@c @implementation public func TfLiteInterpreterResizeInputTensor(
  _ interpreter: OpaquePointer?, _ position: Int32, _ extents: UnsafePointer<Int32>?, _ rank: Int32
) -> TfLiteStatus {
  guard let main = main(interpreter), let index = tensorIndex(main.graph.inputs, position),
    let shape = shape(extents, rank, for: main)
  else { return kTfLiteError }
  return main.resize(index, to: shape)
}

@c @implementation public func TfLiteInterpreterAllocateTensors(
  _ interpreter: OpaquePointer?
) -> TfLiteStatus { main(interpreter)?.allocate() ?? kTfLiteError }

@c @implementation public func TfLiteInterpreterInvoke(
  _ interpreter: OpaquePointer?
) -> TfLiteStatus { main(interpreter)?.invoke() ?? kTfLiteError }

@c @implementation public func TfLiteInterpreterCancel(
  _ interpreter: OpaquePointer?
) -> TfLiteStatus { InterpreterObject.at(interpreter)?.cancel() ?? kTfLiteError }

// MARK: Variables

@c @implementation public func TfLiteInterpreterResetVariableTensors(
  _ interpreter: OpaquePointer?
) -> TfLiteStatus {
  guard let object = InterpreterObject.at(interpreter) else { return kTfLiteError }
  object.interpreter?.resetState()
  return kTfLiteOk
}

@c @implementation public func TfLiteInterpreterGetVariableTensorCount(
  _ interpreter: OpaquePointer?
) -> Int32 { Int32(main(interpreter)?.graph.variables.count ?? 0) }

@c @implementation public func TfLiteInterpreterGetVariableTensor(
  _ interpreter: OpaquePointer?, _ position: Int32
) -> UnsafeMutablePointer<TfLiteTensor>? {
  guard let main = main(interpreter), let index = tensorIndex(main.graph.variables, position)
  else { return nil }
  return main.tensor(at: index)
}

// MARK: Memory, handles and delegates

@c @implementation public func TfLiteInterpreterSetCustomAllocationForTensor(
  _ interpreter: OpaquePointer?, _ index: Int32,
  _ allocation: UnsafePointer<TfLiteCustomAllocation>?, _ flags: Int64
) -> TfLiteStatus {
  guard let main = main(interpreter), let allocation else { return kTfLiteError }
  let skipsCheck = flags & Int64(kTfLiteCustomAllocationFlagsSkipAlignCheck.rawValue) != 0
  return main.setCustomMemory(
    allocation.pointee, for: Int(index), skipsAlignmentCheck: skipsCheck)
}

@c @implementation public func TfLiteInterpreterSetBufferHandle(
  _ interpreter: OpaquePointer?, _ tensor: UnsafeMutablePointer<TfLiteTensor>?,
  _ handle: TfLiteBufferHandle, _ delegate: UnsafeMutablePointer<TfLiteOpaqueDelegate>?
) -> TfLiteStatus {
  // No delegate ever takes over nodes here, so none has buffer handles.
  kTfLiteError
}

@c @implementation public func TfLiteInterpreterGetBufferHandle(
  _ interpreter: OpaquePointer?, _ index: Int32,
  _ handle: UnsafeMutablePointer<TfLiteBufferHandle>?,
  _ delegate: UnsafeMutablePointer<UnsafeMutablePointer<TfLiteOpaqueDelegate>?>?
) -> TfLiteStatus {
  guard let tensor = main(interpreter)?.tensor(at: Int(index)) else { return kTfLiteError }
  handle?.pointee = tensor.pointee.buffer_handle
  delegate?.pointee = tensor.pointee.delegate
  return kTfLiteOk
}

@c @implementation public func TfLiteSetAllowBufferHandleOutput(
  _ interpreter: OpaquePointer?, _ allows: Bool
) {}

@c @implementation public func TfLiteInterpreterEnsureTensorDataIsReadable(
  _ interpreter: OpaquePointer?, _ index: Int32
) -> TfLiteStatus { main(interpreter)?.tensor(at: Int(index)) == nil ? kTfLiteError : kTfLiteOk }

@c @implementation public func TfLiteInterpreterModifyGraphWithDelegate(
  _ interpreter: OpaquePointer?, _ delegate: UnsafeMutablePointer<TfLiteDelegate>?
) -> TfLiteStatus { main(interpreter)?.apply(delegate) ?? kTfLiteError }
