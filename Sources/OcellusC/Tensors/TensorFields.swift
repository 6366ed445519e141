import CTensorFlowLite
import OcellusModelFile
import OcellusPlatform

extension UnsafeMutablePointer where Pointee == TfLiteTensor {
  /// The extents of all dimensions.
  var shape: [Int] { numbers(UnsafePointer(pointee.dims)) }

  /// Whether the memory is on the heap and belongs to the structure, as for strings.
  var isDynamic: Bool { pointee.allocation_type == kTfLiteDynamic }

  /// Whether the number of bytes follows from the shape.
  var hasFixedElements: Bool {
    ![kTfLiteString, kTfLiteResource, kTfLiteVariant].contains(pointee.type)
  }

  /// Takes a list as the shape, and frees the one before.
  ///
  /// The list lives on as part of the tensor, where operators often read it after they gave it away.
  func setShape(_ list: UnsafeMutablePointer<TfLiteIntArray>) {
    if list != pointee.dims { free(pointee.dims) }
    pointee.dims = list
  }

  /// Changes the shape, in place if the rank stays the same.
  func setShape(_ shape: [Int]) {
    if let dims = pointee.dims, Int(dims.pointee.size) == shape.count {
      for (axis, extent) in shape.enumerated() {
        dims.elements[axis] = Int32(truncatingIfNeeded: extent)
      }
      return
    }
    free(pointee.dims)
    pointee.dims = makeList(shape)
  }

  /// Refers to memory that the structure does not own; a null pointer for no bytes.
  func show(_ bytes: UnsafeMutableRawBufferPointer) {
    pointee.data.data = bytes.count == 0 ? nil : bytes.baseAddress
    pointee.bytes = bytes.count
  }

  /// Refers to memory of the program, or to none if it is too small.
  func showIfLargeEnough(_ memory: UnsafeMutableRawBufferPointer) {
    let isEnough = pointee.bytes > 0 && memory.count >= pointee.bytes
    pointee.data.data = isEnough ? memory.baseAddress : nil
  }

  /// Whether the tensor has the memory that its shape requires.
  var isFilled: Bool {
    guard pointee.data.data != nil else { return false }
    return !hasFixedElements || pointee.bytes == pointee.type.tensorType?.byteCount(shape: shape)
  }

  /// The tensor's memory; empty if it has none.
  var memory: UnsafeMutableRawBufferPointer {
    UnsafeMutableRawBufferPointer(
      start: pointee.data.data, count: pointee.data.data == nil ? 0 : pointee.bytes)
  }
}

extension TfLiteTensor {
  /// Creates a tensor as the model describes it, without memory unless it is a constant.
  init(_ record: TensorRecord, name: UnsafePointer<CChar>) {
    self.init()
    type = TfLiteType(record.type)
    self.name = name
    dims = makeList(record.shape)
    dims_signature = UnsafePointer(makeList(record.shapeSignature ?? []))
    is_variable = record.isVariable
    buffer_handle = kTfLiteNullBufferHandle
    bytes = record.type.byteCount(shape: record.shape) ?? 0
    if let constant = record.data {
      allocation_type = kTfLiteMmapRo
      data.data = UnsafeMutableRawPointer(mutating: constant.baseAddress)
      if record.type.bitWidth == nil || record.sparsity != nil { bytes = constant.count }
    } else if record.type.bitWidth == nil {
      allocation_type = kTfLiteDynamic
    } else {
      allocation_type = record.isVariable ? kTfLiteArenaRwPersistent : kTfLiteArenaRw
    }
    setQuantization(record.quantization)
  }

  private mutating func setQuantization(_ record: QuantizationRecord?) {
    guard let record, !record.scales.isEmpty,
      let affine = calloc(1, MemoryLayout<TfLiteAffineQuantization>.stride)?
        .assumingMemoryBound(to: TfLiteAffineQuantization.self)
    else { return }
    let scales = TfLiteFloatArray.allocate(Int32(record.scales.count))
    _ = scales?.elements.update(fromContentsOf: record.scales)
    affine.pointee.scale = scales
    affine.pointee.zero_point = makeList(record.zeroPoints)
    affine.pointee.quantized_dimension = Int32(truncatingIfNeeded: record.axis)
    quantization = TfLiteQuantization(type: kTfLiteAffineQuantization, params: affine)
    if record.scales.count == 1 {
      params = TfLiteQuantizationParams(
        scale: record.scales[0],
        zero_point: Int32(truncatingIfNeeded: record.zeroPoints.first ?? 0))
    }
  }
}
