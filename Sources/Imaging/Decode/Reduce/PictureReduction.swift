/// How much smaller a picture becomes while its rows are read: a pixel is the mean of a square of them.
struct PictureReduction {
  /// The side of the squares.
  let factor: Int

  /// Sums of squares of 16-bit samples have 32 bits.
  private static let largestFactor = 256

  /// The largest squares that leave at least the size `minimum` of a picture of the size `size`.
  init(of size: PixelSize, atLeast minimum: PixelSize?) {
    guard let minimum else {
      factor = 1
      return
    }
    // The last square of a row may have fewer pixels: n squares need more than (n − 1) · f of them.
    func most(_ length: Int, _ wanted: Int) -> Int { length / max(wanted, 1) }
    let most = min(most(size.width, minimum.width), most(size.height, minimum.height))
    factor = min(max(most, 1), Self.largestFactor)
  }

  /// The size of what becomes of a picture.
  func size(of size: PixelSize) -> PixelSize {
    PixelSize(
      width: (size.width + factor - 1) / factor, height: (size.height + factor - 1) / factor)
  }

  /// What the picture takes that becomes of one of the size `size`.
  func pictureBytes(of size: PixelSize, _ format: PixelFormat) -> Int {
    format.byteCount(of: self.size(of: size))
  }

  /// What making it takes besides: a row, and sums of squares.
  func workBytes(of size: PixelSize, _ format: PixelFormat, inAnyOrder: Bool = false) -> Int {
    guard factor > 1 else { return 0 }
    let reduced = self.size(of: size)
    let rows = inAnyOrder ? reduced.height + 1 : 2
    let row = format.byteCount(of: PixelSize(width: size.width, height: 1))
    return row + rows * reduced.width * format.sampleCount * MemoryLayout<UInt32>.size
  }
}

extension PixelFormat {
  /// The bytes of a picture whose rows follow each other closely.
  func byteCount(of size: PixelSize) -> Int {
    planeLayouts.reduce(0) { sum, layout in
      sum + layout.elements(covering: size.width) * layout.elements(covering: size.height)
        * layout.bytesPerElement
    }
  }

  /// The samples of a pixel, of formats that files are read into row by row.
  var sampleCount: Int { self == .gray16 ? 1 : planeLayouts[0].bytesPerElement }
}
