import OcellusKernelABI

/// Reads rows of stored pixels as interleaved bytes in one channel order, from any format.
struct StoredRowReader {
  let order: PixelOrder
  private let format: PixelFormat
  private let memory: UnsafeRawPointer
  private let end: UnsafeRawPointer
  private let planes: [Image.Plane]
  private let coefficients: YCbCrCoefficients
  private let kernels: PictureKernels

  /// Creates a reader of the `byteCount` bytes of `image` at `memory`, which must outlive the
  /// reader.
  init(
    _ image: Image, memory: UnsafeRawPointer, byteCount: Int, order: PixelOrder,
    kernels: PictureKernels
  ) throws(ImageError) {
    self.memory = memory
    end = memory + byteCount
    self.order = order
    self.kernels = kernels
    format = image.format
    planes = image.planes
    switch image.format {
    case .nv12(let encoding), .i420(let encoding): coefficients = YCbCrCoefficients(encoding)
    case .planarFloat(let channels) where ![1, 3, 4].contains(channels):
      throw ImageError(
        .unsupported, "a picture of \(channels) planes of floats has no colours; 1, 3 or 4 have")
    default: coefficients = YCbCrCoefficients(.jpeg)
    }
  }

  /// Returns the size of the buffer that `row(_:_:buffer:)` needs for `width` pixels.
  static func bufferBytes(width: Int) -> Int { 4 * width + pictureSlack }

  /// Whether `row(_:_:buffer:)` writes nothing to its buffer beyond the pixels and `pictureSlack`.
  var fillsBuffersExactly: Bool {
    switch format {
    case .gray8, .rgb8, .rgba8, .bgra8: true
    case .nv12, .i420: order == .rgb
    case .gray16, .planarFloat: false
    }
  }

  /// Returns the pixels of a range of columns, with `pictureSlack` readable bytes after them.
  ///
  /// They are read in place if the picture stores them in this order, and else written to `buffer`.
  func row(
    _ y: Int, _ columns: Range<Int>, buffer: UnsafeMutableRawPointer
  ) -> UnsafeRawPointer {
    let (pixels, found) = natural(y, columns, buffer)
    guard found != order else {
      if pixels == UnsafeRawPointer(buffer) { return pixels }
      return pixels.withSlack(
        byteCount: columns.count * order.byteCount, end: end, buffer: buffer)
    }
    kernels.recolored(
      RecolorArguments(
        input: pixels, inputOrder: found, output: buffer, outputOrder: order,
        count: columns.count))
    return UnsafeRawPointer(buffer)
  }

  /// Reads the pixels in the channel order that costs least, and returns that order.
  ///
  /// Pixels that cannot be read in place are written to the end of the buffer, so that a later
  /// conversion of their order can write from its start.
  private func natural(
    _ y: Int, _ columns: Range<Int>, _ buffer: UnsafeMutableRawPointer
  ) -> (UnsafeRawPointer, PixelOrder) {
    func stored(_ order: PixelOrder) -> (UnsafeRawPointer, PixelOrder) {
      (address(0, y) + columns.lowerBound * order.byteCount, order)
    }
    let needed = 4 * columns.count
    switch format {
    case .gray8: return stored(.gray)
    case .rgb8: return stored(.rgb)
    case .rgba8: return stored(.rgba)
    case .bgra8: return stored(.bgra)
    case .gray16:
      let target = buffer + (needed - columns.count)
      let row = address(0, y) + columns.lowerBound * 2
      for index in 0..<columns.count {
        // The high byte, which decoders of 16-bit colours take too.
        let value = row.loadUnaligned(fromByteOffset: index * 2, as: UInt16.self)
        target.storeBytes(of: UInt8(value >> 8), toByteOffset: index, as: UInt8.self)
      }
      return (UnsafeRawPointer(target), .gray)
    case .nv12, .i420:
      let target = buffer + (order == .rgb ? 0 : needed - 3 * columns.count)
      readVideo(y, columns, to: target)
      return (UnsafeRawPointer(target), .rgb)
    case .planarFloat(let channels):
      let target = buffer + (needed - channels * columns.count)
      readFloats(y, columns, channels: channels, to: target)
      return (UnsafeRawPointer(target), channels == 1 ? .gray : channels == 3 ? .rgb : .rgba)
    }
  }

  private func address(_ plane: Int, _ y: Int) -> UnsafeRawPointer {
    memory + (planes[plane].byteOffset + y * planes[plane].rowStride)
  }

  /// Reads pixels of which 2×2 share one chroma sample, without interpolation.
  private func readVideo(
    _ y: Int, _ columns: Range<Int>, to target: UnsafeMutableRawPointer
  ) {
    let pair = columns.lowerBound / 2
    let isInterleaved = planes.count == 2
    let cb = address(1, y / 2) + (isInterleaved ? pair * 2 : pair)
    kernels.rgbFromYCbCr(
      YCbCrRowArguments(
        luma: address(0, y) + columns.lowerBound, cb: cb,
        cr: isInterleaved ? cb + 1 : address(2, y / 2) + pair,
        colorStep: isInterleaved ? 2 : 1, startsOdd: columns.lowerBound % 2 == 1, output: target,
        count: columns.count, lumaOffset: coefficients.lumaOffset, factors: coefficients.toRGB))
  }

  /// Reads floats in 0…255, rounded to the nearest byte.
  private func readFloats(
    _ y: Int, _ columns: Range<Int>, channels: Int, to target: UnsafeMutableRawPointer
  ) {
    for channel in 0..<channels {
      let row = address(channel, y) + columns.lowerBound * 4
      for index in 0..<columns.count {
        let value = row.loadUnaligned(fromByteOffset: index * 4, as: Float.self)
        target.storeBytes(
          of: UInt8(nearest: value), toByteOffset: index * channels + channel, as: UInt8.self)
      }
    }
  }
}

extension UInt8 {
  /// Creates the nearest byte; 0 for NaN.
  init(nearest value: Float) {
    // The maximum or minimum of NaN and a number is the number.
    self = UInt8(Float.minimum(Float.maximum(value, 0), 255).rounded(.toNearestOrEven))
  }
}
