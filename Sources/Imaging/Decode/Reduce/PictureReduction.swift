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

  /// The same for a picture whose rows come in any order, so that there is a sum for every square: none, where
  /// that takes no less memory than the whole picture.
  init(
    of size: PixelSize, atLeast minimum: PixelSize?, _ format: PixelFormat, inAnyOrder: Bool
  ) {
    let reduction = PictureReduction(of: size, atLeast: minimum)
    let memory = reduction.pictureBytes(of: size, format).addingOrMost(
      reduction.workBytes(of: size, format, inAnyOrder: inAnyOrder))
    let isWorthIt = !inAnyOrder || memory < format.byteCount(of: size)
    self = isWorthIt ? reduction : PictureReduction(of: size, atLeast: nil)
  }

  /// The size of what becomes of a picture.
  func size(of size: PixelSize) -> PixelSize {
    PixelSize(
      width: (size.width + factor - 1) / factor, height: (size.height + factor - 1) / factor)
  }

  /// What the picture takes that becomes of one of the size `size`.
  private func pictureBytes(of size: PixelSize, _ format: PixelFormat) -> Int {
    format.byteCount(of: self.size(of: size))
  }

  /// What making it takes besides: a row, and sums of squares.
  func workBytes(of size: PixelSize, _ format: PixelFormat, inAnyOrder: Bool = false) -> Int {
    guard factor > 1 else { return 0 }
    let reduced = self.size(of: size)
    let rows = inAnyOrder ? reduced.height + 1 : 2
    let row = format.byteCount(of: PixelSize(width: size.width, height: 1))
    let sums = rows.multipliedOrMost(by: reduced.width)
      .multipliedOrMost(by: format.sampleCount * MemoryLayout<UInt32>.size)
    return row.addingOrMost(sums)
  }
}

extension PixelFormat {
  /// The bytes of a picture whose rows follow each other closely; the largest number where they are more.
  func byteCount(of size: PixelSize) -> Int {
    planeLayouts.reduce(0) { sum, layout in
      let row = layout.elements(covering: size.width).multipliedOrMost(by: layout.bytesPerElement)
      return sum.addingOrMost(row.multipliedOrMost(by: layout.elements(covering: size.height)))
    }
  }

  /// The samples of a pixel, of formats that files are read into row by row.
  var sampleCount: Int { self == .gray16 ? 1 : planeLayouts[0].bytesPerElement }
}
