import OcellusKernelABI
import OcellusKernelDispatch

extension Image {
  /// Returns the picture in another format, with the same size and orientation.
  ///
  /// Luma has the weights of BT.601, as in Pillow's mode L. Gray becomes equal red, green and blue.
  /// Alpha is dropped, or opaque if the source has none. Conversions between NV12 or I420 and RGB
  /// use one chroma sample for 2×2 pixels, that of the upper left pixel, as OpenCV's
  /// `COLOR_YUV2RGB_NV12` and `COLOR_RGB2YUV_I420` do. Floats have the scale of bytes, 0…255, and
  /// are rounded to the nearest byte.
  public func converted(to format: PixelFormat) throws(ImageError) -> Image {
    guard format != self.format else { return self }
    var result = Image(uninitialized: format, size: storedSize, orientation: orientation)
    if copyPlanes(to: &result) { return result }
    guard let order = PixelRowWriter.order(for: format) else {
      throw ImageError(.unsupported, "a picture cannot become one of \(format): 1, 3 or 4 can")
    }
    let buffer = ScratchMemory()
    let targets = result.planes
    try withUnsafeBytes { bytes throws(ImageError) in
      guard let source = bytes.baseAddress else { return }
      let reader = try StoredRowReader(
        self, memory: source, byteCount: bytes.count, order: order,
        kernels: KernelTable.best.pictures)
      result.withUnsafeMutableBytes { target in
        guard let target = target.baseAddress else { return }
        let writer = PixelRowWriter(
          format, width: storedSize.width, planes: targets, memory: target)
        let ownRow = buffer.bytes(StoredRowReader.bufferBytes(width: storedSize.width))
        for y in 0..<storedSize.height {
          let row = reader.fillsBuffersExactly ? writer.address(ofRow: y) ?? ownRow : ownRow
          writer.write(reader.row(y, 0..<storedSize.width, buffer: row), y: y)
        }
      }
    }
    return result
  }

  /// Copies the samples if the formats differ only in their arrangement or element type.
  ///
  /// Returns `false`, without copying, for all other pairs of formats.
  private func copyPlanes(to result: inout Image) -> Bool {
    switch (format, result.format) {
    case (.nv12(let encoding), .i420(let other)) where encoding == other: break
    case (.i420(let encoding), .nv12(let other)) where encoding == other: break
    case (.gray16, .planarFloat(channels: 1)), (.planarFloat(channels: 1), .gray16): break
    default: return false
    }
    let targets = result.planes
    let is16Bit = format == .gray16
    result.withUnsafeMutableBytes { target in
      withUnsafeBytes { source in
        if planes.count == 1 {
          copySamples(from16Bit: is16Bit, from: source, to: target, targets[0])
        } else {
          copyVideo(from: source, to: target, targets)
        }
      }
    }
    return true
  }

  /// Converts 16-bit samples to floats in 0…255, or the reverse.
  private func copySamples(
    from16Bit is16Bit: Bool, from source: UnsafeRawBufferPointer,
    to target: UnsafeMutableRawBufferPointer, _ plane: Plane
  ) {
    for y in 0..<storedSize.height {
      let (from, to) = (
        planes[0].byteOffset + y * planes[0].rowStride, plane.byteOffset + y * plane.rowStride
      )
      for x in 0..<storedSize.width {
        if is16Bit {
          let value = source.loadUnaligned(fromByteOffset: from + x * 2, as: UInt16.self)
          target.storeBytes(of: Float(value) / 257, toByteOffset: to + x * 4, as: Float.self)
        } else {
          let value = source.loadUnaligned(fromByteOffset: from + x * 4, as: Float.self)
          target.storeBytes(
            of: UInt16(nearest: value * 257), toByteOffset: to + x * 2, as: UInt16.self)
        }
      }
    }
  }

  /// Copies luma, and interleaves or deinterleaves chroma.
  private func copyVideo(
    from source: UnsafeRawBufferPointer, to target: UnsafeMutableRawBufferPointer,
    _ targets: [Plane]
  ) {
    func rowLayout(_ planes: [Plane], _ channel: Int, _ y: Int) -> (start: Int, step: Int) {
      if channel == 0 || planes.count == 3 {
        return (planes[channel].byteOffset + y * planes[channel].rowStride, 1)
      }
      return (planes[1].byteOffset + y * planes[1].rowStride + channel - 1, 2)
    }
    for channel in 0..<3 {
      let isLuma = channel == 0
      let width = isLuma ? storedSize.width : (storedSize.width + 1) / 2
      for y in 0..<(isLuma ? storedSize.height : (storedSize.height + 1) / 2) {
        let (from, to) = (rowLayout(planes, channel, y), rowLayout(targets, channel, y))
        for x in 0..<width { target[to.start + x * to.step] = source[from.start + x * from.step] }
      }
    }
  }
}

extension UInt16 {
  /// Creates the nearest 16-bit value, with halves rounded up; 0 for NaN.
  init(nearest value: Float) {
    self = UInt16(
      Float.minimum(Float.maximum(value, 0), 65535).rounded(.toNearestOrAwayFromZero))
  }
}
