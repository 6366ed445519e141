// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// The C headers document these functions.

public import CTensorFlowLite
import OcellusModelFile

// TfLiteOpaqueTensor…: the structures of `TfLiteTensor` without access to their fields.

private func tensor(_ opaque: OpaquePointer?) -> UnsafeMutablePointer<TfLiteTensor>? {
  opaque.map { UnsafeMutablePointer($0) }
}

private func constant(_ opaque: OpaquePointer?) -> UnsafePointer<TfLiteTensor>? {
  opaque.map { UnsafePointer($0) }
}

@c @implementation public func TfLiteOpaqueTensorType(_ opaque: OpaquePointer?) -> TfLiteType {
  TfLiteTensorType(constant(opaque))
}

@c @implementation public func TfLiteOpaqueTensorNumDims(_ opaque: OpaquePointer?) -> Int32 {
  TfLiteTensorNumDims(constant(opaque))
}

@c @implementation public func TfLiteOpaqueTensorDim(
  _ opaque: OpaquePointer?, _ axis: Int32
) -> Int32 { TfLiteTensorDim(constant(opaque), axis) }

@c @implementation public func TfLiteOpaqueTensorGetNumDimsSignature(
  _ opaque: OpaquePointer?, _ count: UnsafeMutablePointer<Int32>?
) -> TfLiteStatus {
  guard let tensor = constant(opaque), let count else { return kTfLiteError }
  count.pointee = tensor.pointee.dims_signature?.pointee.size ?? -1
  return kTfLiteOk
}

@c @implementation public func TfLiteOpaqueTensorGetDimSignature(
  _ opaque: OpaquePointer?, _ axis: Int32, _ extent: UnsafeMutablePointer<Int32>?
) -> TfLiteStatus {
  guard let signature = constant(opaque)?.pointee.dims_signature, let extent,
    signature.elements.indices.contains(Int(axis))
  else { return kTfLiteError }
  extent.pointee = signature.elements[Int(axis)]
  return kTfLiteOk
}

@c @implementation public func TfLiteOpaqueTensorIsVariable(_ opaque: OpaquePointer?) -> Int32 {
  constant(opaque)?.pointee.is_variable == true ? 1 : 0
}

@c @implementation public func TfLiteOpaqueTensorByteSize(_ opaque: OpaquePointer?) -> Int {
  TfLiteTensorByteSize(constant(opaque))
}

@c @implementation public func TfLiteOpaqueTensorData(
  _ opaque: OpaquePointer?
) -> UnsafeMutableRawPointer? { TfLiteTensorData(constant(opaque)) }

@c @implementation public func TfLiteOpaqueTensorGetAllocationType(
  _ opaque: OpaquePointer?
) -> TfLiteAllocationType { constant(opaque)?.pointee.allocation_type ?? kTfLiteMemNone }

@c @implementation public func TfLiteOpaqueTensorGetAllocationStrategy(
  _ opaque: OpaquePointer?
) -> TfLiteAllocationStrategy { TfLiteTensorGetAllocationStrategy(constant(opaque)) }

@c @implementation public func TfLiteOpaqueTensorGetBufferAddressStability(
  _ opaque: OpaquePointer?
) -> TfLiteRunStability { TfLiteTensorGetBufferAddressStability(constant(opaque)) }

@c @implementation public func TfLiteOpaqueTensorGetDataStability(
  _ opaque: OpaquePointer?
) -> TfLiteRunStability { TfLiteTensorGetDataStability(constant(opaque)) }

@c @implementation public func TfLiteOpaqueTensorGetDataKnownStep(
  _ opaque: OpaquePointer?
) -> TfLiteRunStep { TfLiteTensorGetDataKnownStep(constant(opaque)) }

@c @implementation public func TfLiteOpaqueTensorGetShapeKnownStep(
  _ opaque: OpaquePointer?
) -> TfLiteRunStep { TfLiteTensorGetShapeKnownStep(constant(opaque)) }

@c @implementation public func TfLiteOpaqueTensorName(
  _ opaque: OpaquePointer?
) -> UnsafePointer<CChar>? { TfLiteTensorName(constant(opaque)) }

@c @implementation public func TfLiteOpaqueTensorGetQuantization(
  _ opaque: OpaquePointer?
) -> TfLiteQuantization { constant(opaque)?.pointee.quantization ?? TfLiteQuantization() }

@c @implementation public func TfLiteOpaqueTensorGetQuantizationParams(
  _ opaque: OpaquePointer?
) -> TfLiteQuantizationParams { TfLiteTensorQuantizationParams(constant(opaque)) }

@c @implementation public func TfLiteOpaqueTensorCopyFromBuffer(
  _ opaque: OpaquePointer?, _ data: UnsafeRawPointer?, _ size: Int
) -> TfLiteStatus { TfLiteTensorCopyFromBuffer(tensor(opaque), data, size) }

@c @implementation public func TfLiteOpaqueTensorCopyToBuffer(
  _ opaque: OpaquePointer?, _ data: UnsafeMutableRawPointer?, _ size: Int
) -> TfLiteStatus { TfLiteTensorCopyToBuffer(constant(opaque), data, size) }

@c @implementation public func TfLiteOpaqueTensorSetAllocationTypeToDynamic(
  _ opaque: OpaquePointer?
) {
  guard let tensor = tensor(opaque), !tensor.isDynamic,
    tensor.pointee.allocation_type != kTfLiteMmapRo
  else { return }
  // The tensor referred to memory that it does not own.
  tensor.pointee.data.data = nil
  tensor.pointee.bytes = 0
  tensor.pointee.allocation_type = kTfLiteDynamic
}

// MARK: Strings

/// Returns the strings of a tensor, or `nil` if its bytes are not valid strings.
private func strings(_ opaque: OpaquePointer?) -> PackedStrings? {
  guard let tensor = tensor(opaque), tensor.pointee.type == kTfLiteString else { return nil }
  return try? PackedStrings(validating: UnsafeRawBufferPointer(tensor.memory))
}

@c @implementation public func TfLiteOpaqueTensorGetStringCount(_ opaque: OpaquePointer?) -> Int32 {
  strings(opaque).map { Int32($0.count) } ?? -1
}

@c @implementation public func TfLiteOpaqueTensorGetString(
  _ opaque: OpaquePointer?, _ index: Int32, _ text: UnsafeMutablePointer<UnsafePointer<CChar>?>?,
  _ length: UnsafeMutablePointer<Int32>?
) -> TfLiteStatus {
  guard let strings = strings(opaque), index >= 0, index < strings.count, let text, let length
  else { return kTfLiteError }
  let string = strings[Int(index)]
  text.pointee = string.baseAddress?.assumingMemoryBound(to: CChar.self)
  length.pointee = Int32(string.count)
  return kTfLiteOk
}

@c @implementation public func TfLiteOpaqueTensorWriteStrings(
  _ opaque: OpaquePointer?, _ texts: UnsafePointer<UnsafePointer<CChar>?>?, _ count: Int32,
  _ lengths: UnsafePointer<Int32>?
) -> TfLiteStatus {
  guard let tensor = tensor(opaque), tensor.pointee.type == kTfLiteString, count >= 0,
    count == 0 || (texts != nil && lengths != nil)
  else { return kTfLiteError }
  func string(_ index: Int) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(
      start: texts?[index], count: texts?[index] == nil ? 0 : max(Int(lengths?[index] ?? 0), 0))
  }
  guard let byteCount = PackedStrings.byteCount(count: Int(count), string),
    TfLiteTensorRealloc(byteCount, tensor) == kTfLiteOk
  else { return kTfLiteError }
  PackedStrings.encode(count: Int(count), to: tensor.memory, string)
  return kTfLiteOk
}

@c @implementation public func TfLiteOpaqueTensorWriteString(
  _ opaque: OpaquePointer?, _ text: UnsafePointer<CChar>?, _ length: Int32
) -> TfLiteStatus {
  withUnsafePointer(to: text) { text in
    withUnsafePointer(to: length) { TfLiteOpaqueTensorWriteStrings(opaque, text, 1, $0) }
  }
}
