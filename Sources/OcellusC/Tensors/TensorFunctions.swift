// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// The C headers document these functions.

public import CTensorFlowLite
import OcellusPlatform

// TfLiteTensor…: reading and filling tensors.

@c @implementation public func TfLiteTensorType(
  _ tensor: UnsafePointer<TfLiteTensor>?
) -> TfLiteType { tensor?.pointee.type ?? kTfLiteNoType }

@c @implementation public func TfLiteTensorNumDims(_ tensor: UnsafePointer<TfLiteTensor>?) -> Int32
{
  tensor?.pointee.dims?.pointee.size ?? -1
}

@c @implementation public func TfLiteTensorDim(
  _ tensor: UnsafePointer<TfLiteTensor>?, _ axis: Int32
) -> Int32 {
  guard let dims = tensor?.pointee.dims, dims.elements.indices.contains(Int(axis)) else { return 0 }
  return dims.elements[Int(axis)]
}

@c @implementation public func TfLiteTensorByteSize(_ tensor: UnsafePointer<TfLiteTensor>?) -> Int {
  tensor?.pointee.bytes ?? 0
}

@c @implementation public func TfLiteTensorData(
  _ tensor: UnsafePointer<TfLiteTensor>?
) -> UnsafeMutableRawPointer? { tensor?.pointee.data.data }

@c @implementation public func TfLiteTensorName(
  _ tensor: UnsafePointer<TfLiteTensor>?
) -> UnsafePointer<CChar>? { tensor?.pointee.name }

@c @implementation public func TfLiteTensorQuantizationParams(
  _ tensor: UnsafePointer<TfLiteTensor>?
) -> TfLiteQuantizationParams { tensor?.pointee.params ?? TfLiteQuantizationParams() }

@c @implementation public func TfLiteTensorCopyFromBuffer(
  _ tensor: UnsafeMutablePointer<TfLiteTensor>?, _ data: UnsafeRawPointer?, _ size: Int
) -> TfLiteStatus {
  guard let tensor, tensor.pointee.bytes == size else { return kTfLiteError }
  if size == 0 { return kTfLiteOk }
  guard let target = tensor.pointee.data.data, let data else { return kTfLiteError }
  target.copyMemory(from: data, byteCount: size)
  return kTfLiteOk
}

@c @implementation public func TfLiteTensorCopyToBuffer(
  _ tensor: UnsafePointer<TfLiteTensor>?, _ data: UnsafeMutableRawPointer?, _ size: Int
) -> TfLiteStatus {
  guard let tensor, tensor.pointee.bytes == size else { return kTfLiteError }
  if size == 0 { return kTfLiteOk }
  guard let source = tensor.pointee.data.data, let data else { return kTfLiteError }
  data.copyMemory(from: source, byteCount: size)
  return kTfLiteOk
}

// MARK: Memory that tensors own

@c @implementation public func TfLiteTensorDataFree(_ tensor: UnsafeMutablePointer<TfLiteTensor>?) {
  guard let tensor else { return }
  if tensor.pointee.allocation_type == kTfLiteVariantObject {
    tensor.variant?.delete()
  } else if tensor.isDynamic || tensor.pointee.allocation_type == kTfLitePersistentRo {
    free(tensor.pointee.data.data)
  }
  tensor.pointee.data.data = nil
}

@c @implementation public func TfLiteTensorFree(_ tensor: UnsafeMutablePointer<TfLiteTensor>?) {
  guard let tensor else { return }
  TfLiteTensorDataFree(tensor)
  free(tensor.pointee.dims)
  tensor.pointee.dims = nil
  free(UnsafeMutableRawPointer(mutating: tensor.pointee.dims_signature))
  tensor.pointee.dims_signature = nil
  TfLiteQuantizationFree(&tensor.pointee.quantization)
  TfLiteSparsityFree(tensor.pointee.sparsity)
  tensor.pointee.sparsity = nil
}

@c @implementation public func TfLiteQuantizationFree(
  _ quantization: UnsafeMutablePointer<TfLiteQuantization>?
) {
  guard let quantization else { return }
  if quantization.pointee.type == kTfLiteAffineQuantization,
    let params = quantization.pointee.params
  {
    let affine = params.assumingMemoryBound(to: TfLiteAffineQuantization.self)
    free(affine.pointee.scale)
    free(affine.pointee.zero_point)
  }
  free(quantization.pointee.params)
  quantization.pointee = TfLiteQuantization(type: kTfLiteNoQuantization, params: nil)
}

@c @implementation public func TfLiteSparsityFree(_ sparsity: UnsafeMutablePointer<TfLiteSparsity>?)
{
  guard let sparsity else { return }
  free(sparsity.pointee.traversal_order)
  free(sparsity.pointee.block_map)
  let dimensions = UnsafeMutableBufferPointer(
    start: sparsity.pointee.dim_metadata,
    count: sparsity.pointee.dim_metadata == nil ? 0 : Int(sparsity.pointee.dim_metadata_size))
  for dimension in dimensions where dimension.format == kTfLiteDimSparseCSR {
    free(dimension.array_segments)
    free(dimension.array_indices)
  }
  free(sparsity.pointee.dim_metadata)
  free(sparsity)
}

@c @implementation public func TfLiteTensorReset(
  _ type: TfLiteType, _ name: UnsafePointer<CChar>?, _ dims: UnsafeMutablePointer<TfLiteIntArray>?,
  _ quantization: TfLiteQuantizationParams, _ buffer: UnsafeMutablePointer<CChar>?, _ size: Int,
  _ allocationType: TfLiteAllocationType, _ allocation: UnsafeRawPointer?, _ isVariable: Bool,
  _ tensor: UnsafeMutablePointer<TfLiteTensor>?
) {
  guard let tensor else { return }
  TfLiteTensorFree(tensor)
  tensor.pointee.type = type
  tensor.pointee.name = name
  tensor.pointee.dims = dims
  tensor.pointee.params = quantization
  tensor.pointee.data.raw = buffer
  tensor.pointee.bytes = size
  tensor.pointee.allocation_type = allocationType
  tensor.pointee.allocation = allocation
  tensor.pointee.is_variable = isVariable
}

@c @implementation public func TfLiteTensorCopy(
  _ source: UnsafePointer<TfLiteTensor>?, _ target: UnsafeMutablePointer<TfLiteTensor>?
) -> TfLiteStatus {
  // The official library returns success if one of them is missing.
  guard let source, let target else { return kTfLiteOk }
  guard source.pointee.bytes == target.pointee.bytes else { return kTfLiteError }
  guard source != UnsafePointer(target) else { return kTfLiteOk }
  target.pointee.type = source.pointee.type
  free(target.pointee.dims)
  target.pointee.dims = UnsafePointer(source.pointee.dims)?.copied()
  target.pointee.buffer_handle = source.pointee.buffer_handle
  target.pointee.data_is_stale = source.pointee.data_is_stale
  target.pointee.delegate = source.pointee.delegate
  if source.pointee.allocation_type == kTfLiteVariantObject {
    target.copyVariant(of: UnsafeMutablePointer(mutating: source))
    return kTfLiteOk
  }
  return TfLiteTensorCopyFromBuffer(target, source.pointee.data.data, source.pointee.bytes)
}

@c @implementation public func TfLiteTensorResizeMaybeCopy(
  _ byteCount: Int, _ tensor: UnsafeMutablePointer<TfLiteTensor>?, _ keepsData: Bool
) -> TfLiteStatus {
  guard let tensor else { return kTfLiteError }
  guard tensor.isDynamic || tensor.pointee.allocation_type == kTfLitePersistentRo else {
    return kTfLiteOk
  }
  let memory = tensor.pointee.data.data
  // C's sizes have no sign, and no memory is as large as those that look negative here.
  if memory == nil || byteCount < 0 || byteCount > tensor.pointee.bytes {
    if !keepsData { free(memory) }
    // The official library allocates 16 bytes more, since kernels may read beyond the end.
    let (total, overflows) = byteCount.addingReportingOverflow(16)
    tensor.pointee.data.data =
      overflows || total < 16 ? nil : realloc(keepsData ? memory : nil, total)
  }
  tensor.pointee.bytes = byteCount
  return tensor.pointee.data.data == nil ? kTfLiteError : kTfLiteOk
}

@c @implementation public func TfLiteTensorRealloc(
  _ byteCount: Int, _ tensor: UnsafeMutablePointer<TfLiteTensor>?
) -> TfLiteStatus { TfLiteTensorResizeMaybeCopy(byteCount, tensor, true) }
