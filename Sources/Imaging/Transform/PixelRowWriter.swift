import OcellusKernelABI

/// Writes rows of interleaved bytes into a picture of any format.
struct PixelRowWriter {
  private let format: PixelFormat
  private let memory: UnsafeMutableRawPointer
  private let planes: [Image.Plane]
  private let width: Int

  /// Writes into `memory`, the memory of a picture that is `width` pixels wide.
  init(
    _ format: PixelFormat, width: Int, planes: [Image.Plane], memory: UnsafeMutableRawPointer
  ) {
    self.format = format
    self.width = width
    self.planes = planes
    self.memory = memory
  }

  /// Returns the channel order that rows of a format must have; `nil` for a format without colours.
  static func order(for format: PixelFormat) -> PixelOrder? {
    switch format {
    case .gray8, .gray16, .planarFloat(channels: 1): .gray
    case .rgb8, .nv12, .i420, .planarFloat(channels: 3): .rgb
    case .rgba8, .planarFloat(channels: 4): .rgba
    case .bgra8: .bgra
    case .planarFloat: nil
    }
  }

  /// Returns the address of row `y` in the picture, if the row can be made there in place.
  ///
  /// That holds for formats that store the bytes as they are, if the slack that kernels write after
  /// the row lies in rows that come later.
  func address(ofRow y: Int) -> UnsafeMutableRawPointer? {
    switch format {
    case .gray8, .rgb8, .rgba8, .bgra8:
      let rowAddress = address(0, y)
      let end = address(0, planes[0].rows)
      return rowAddress + (planes[0].rowBytes + pictureSlack) <= end ? rowAddress : nil
    default: return nil
    }
  }

  func write(_ row: UnsafeRawPointer, y: Int) {
    if let rowAddress = address(ofRow: y), row == UnsafeRawPointer(rowAddress) { return }
    switch format {
    case .gray8, .rgb8, .rgba8, .bgra8:
      address(0, y).copyMemory(from: row, byteCount: planes[0].rowBytes)
    case .gray16:
      let target = address(0, y)
      for x in 0..<width {
        target.storeBytes(of: UInt16(byte(row, x)) * 257, toByteOffset: x * 2, as: UInt16.self)
      }
    case .planarFloat(let channels):
      for channel in 0..<channels {
        let target = address(channel, y)
        for x in 0..<width {
          target.storeBytes(
            of: Float(byte(row, x * channels + channel)), toByteOffset: x * 4, as: Float.self)
        }
      }
    case .nv12(let encoding), .i420(let encoding):
      writeVideo(row, y, YCbCrCoefficients(encoding))
    }
  }

  /// Writes one chroma sample for 2×2 pixels, that of the upper left pixel, as OpenCV does.
  private func writeVideo(_ row: UnsafeRawPointer, _ y: Int, _ coefficients: YCbCrCoefficients) {
    let luma = address(0, y)
    let black = coefficients.lumaOffset << 20
    for x in 0..<width {
      luma.storeBytes(
        of: mixed(row, x, coefficients.toLuma, black), toByteOffset: x, as: UInt8.self)
    }
    guard y % 2 == 0 else { return }
    let isInterleaved = planes.count == 2
    let cb = address(1, y / 2)
    let cr = isInterleaved ? cb + 1 : address(2, y / 2)
    let middle: Int32 = 128 << 20
    for x in stride(from: 0, to: width, by: 2) {
      let offset = isInterleaved ? x : x / 2
      cb.storeBytes(
        of: mixed(row, x, coefficients.toCb, middle), toByteOffset: offset, as: UInt8.self)
      cr.storeBytes(
        of: mixed(row, x, coefficients.toCr, middle), toByteOffset: offset, as: UInt8.self)
    }
  }

  private func mixed(
    _ row: UnsafeRawPointer, _ x: Int, _ weights: YCbCrCoefficients.Weights, _ offset: Int32
  ) -> UInt8 {
    let sum =
      Int32(byte(row, x * 3)) * weights.red + Int32(byte(row, x * 3 + 1)) * weights.green
      + Int32(byte(row, x * 3 + 2)) * weights.blue + offset + 1 << 19
    return UInt8(clamping: sum >> 20)
  }

  private func byte(_ row: UnsafeRawPointer, _ index: Int) -> UInt8 {
    row.load(fromByteOffset: index, as: UInt8.self)
  }

  private func address(_ plane: Int, _ y: Int) -> UnsafeMutableRawPointer {
    memory + (planes[plane].byteOffset + y * planes[plane].rowStride)
  }
}
