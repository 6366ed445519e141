// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// The C headers document these functions.

public import CTensorFlowLite
import OcellusHandles
import OcellusPlatform

// TfLiteOpaqueNode…: the structures of `TfLiteNode` without access to their fields.

private func node(_ opaque: OpaquePointer?) -> UnsafeMutablePointer<TfLiteNode>? {
  opaque.map { UnsafeMutablePointer($0) }
}

/// Returns the tensor index at a position of a list, or -1 if the list is shorter.
private func tensorIndex(
  _ list: UnsafeMutablePointer<TfLiteIntArray>??, _ position: Int32
) -> Int32 {
  guard let list = list ?? nil, list.elements.indices.contains(Int(position)) else { return -1 }
  return list.elements[Int(position)]
}

private func tensor(_ context: OpaquePointer?, _ index: Int32) -> OpaquePointer? {
  GraphContext.at(opaque: context)?.tensors[Int(index)].map { OpaquePointer($0) }
}

@c @implementation public func TfLiteOpaqueNodeGetInput(
  _ context: OpaquePointer?, _ opaque: OpaquePointer?, _ position: Int32
) -> OpaquePointer? { tensor(context, tensorIndex(node(opaque)?.pointee.inputs, position)) }

@c @implementation public func TfLiteOpaqueNodeGetOutput(
  _ context: OpaquePointer?, _ opaque: OpaquePointer?, _ position: Int32
) -> OpaquePointer? { tensor(context, tensorIndex(node(opaque)?.pointee.outputs, position)) }

@c @implementation public func TfLiteOpaqueNodeGetInputTensorIndex(
  _ opaque: OpaquePointer?, _ position: Int32
) -> Int32 { tensorIndex(node(opaque)?.pointee.inputs, position) }

@c @implementation public func TfLiteOpaqueNodeGetOutputTensorIndex(
  _ opaque: OpaquePointer?, _ position: Int32
) -> Int32 { tensorIndex(node(opaque)?.pointee.outputs, position) }

@c @implementation public func TfLiteOpaqueNodeNumberOfInputs(_ opaque: OpaquePointer?) -> Int32 {
  node(opaque)?.pointee.inputs?.pointee.size ?? 0
}

@c @implementation public func TfLiteOpaqueNodeNumberOfOutputs(_ opaque: OpaquePointer?) -> Int32 {
  node(opaque)?.pointee.outputs?.pointee.size ?? 0
}

@c @implementation public func TfLiteOpaqueNodeGetUserData(
  _ opaque: OpaquePointer?
) -> UnsafeMutableRawPointer? { node(opaque)?.pointee.user_data }

@c @implementation public func TfLiteOpaqueNodeGetBuiltinData(
  _ opaque: OpaquePointer?
) -> UnsafeMutableRawPointer? { node(opaque)?.pointee.builtin_data }

@c @implementation public func TfLiteOpaqueNodeGetCustomInitialData(
  _ opaque: OpaquePointer?, _ data: UnsafeMutablePointer<UnsafeRawPointer?>?,
  _ size: UnsafeMutablePointer<Int32>?
) -> TfLiteStatus {
  guard let node = node(opaque), let data, let size else { return kTfLiteError }
  data.pointee = node.pointee.custom_initial_data
  size.pointee = node.pointee.custom_initial_data_size
  return kTfLiteOk
}

/// Stores the address and the count of a list.
private func show(
  _ list: UnsafeMutablePointer<TfLiteIntArray>??,
  _ elements: UnsafeMutablePointer<UnsafePointer<Int32>?>?, _ count: UnsafeMutablePointer<Int32>?
) -> TfLiteStatus {
  guard let list = list ?? nil, let elements, let count else { return kTfLiteError }
  elements.pointee = list.elements.baseAddress.map { UnsafePointer($0) }
  count.pointee = list.pointee.size
  return kTfLiteOk
}

@c @implementation public func TfLiteOpaqueNodeInputs(
  _ opaque: OpaquePointer?, _ elements: UnsafeMutablePointer<UnsafePointer<Int32>?>?,
  _ count: UnsafeMutablePointer<Int32>?
) -> TfLiteStatus { show(node(opaque)?.pointee.inputs, elements, count) }

@c @implementation public func TfLiteOpaqueNodeOutputs(
  _ opaque: OpaquePointer?, _ elements: UnsafeMutablePointer<UnsafePointer<Int32>?>?,
  _ count: UnsafeMutablePointer<Int32>?
) -> TfLiteStatus { show(node(opaque)?.pointee.outputs, elements, count) }

@c @implementation public func TfLiteOpaqueNodeTemporaries(
  _ opaque: OpaquePointer?, _ elements: UnsafeMutablePointer<UnsafePointer<Int32>?>?,
  _ count: UnsafeMutablePointer<Int32>?
) -> TfLiteStatus { show(node(opaque)?.pointee.temporaries, elements, count) }

@c @implementation public func TfLiteOpaqueNodeSetTemporaries(
  _ opaque: OpaquePointer?, _ elements: UnsafePointer<Int32>?, _ count: Int32
) -> TfLiteStatus {
  guard let node = node(opaque), count == 0 || elements != nil,
    let list = TfLiteIntArray.allocate(count)
  else { return kTfLiteError }
  for position in 0..<Int(count) { list.elements[position] = elements?[position] ?? -1 }
  free(node.pointee.temporaries)
  node.pointee.temporaries = list
  return kTfLiteOk
}
