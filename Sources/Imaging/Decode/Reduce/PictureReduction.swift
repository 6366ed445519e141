/// The factor by which a picture is reduced while it is decoded: pixels become means of squares.
struct PictureReduction {
  /// The side of a square, in pixels.
  let factor: Int

  /// The limit keeps the sums of squares of 16-bit samples within 32 bits.
  private static let largestFactor = 256

  /// Chooses the largest factor for which `minimum` whole squares fit into `size`.
  init(of size: PixelSize, atLeast minimum: PixelSize?) {
    guard let minimum else {
      factor = 1
      return
    }
    // Conservative: the last, incomplete square of a row becomes a pixel too, but is not counted.
    func quotient(_ length: Int, _ wanted: Int) -> Int { length / max(wanted, 1) }
    let maximum = min(
      quotient(size.width, minimum.width), quotient(size.height, minimum.height))
    factor = min(max(maximum, 1), Self.largestFactor)
  }

  /// Chooses a factor for a picture whose rows may come in any order.
  ///
  /// That takes a sum for every square. If the sums need no less memory than the whole picture, the
  /// picture is not reduced.
  init(
    of size: PixelSize, atLeast minimum: PixelSize?, _ format: PixelFormat, inAnyOrder: Bool
  ) {
    let reduction = PictureReduction(of: size, atLeast: minimum)
    let memory = reduction.pictureBytes(of: size, format).addingSaturating(
      reduction.workBytes(of: size, format, inAnyOrder: inAnyOrder))
    let isWorthIt = !inAnyOrder || memory < format.byteCount(of: size)
    self = isWorthIt ? reduction : PictureReduction(of: size, atLeast: nil)
  }

  /// Returns the size of the reduced picture.
  func size(of size: PixelSize) -> PixelSize {
    PixelSize(
      width: (size.width + factor - 1) / factor, height: (size.height + factor - 1) / factor)
  }

  /// Returns the size in bytes of the reduced picture of a picture of the size `size`.
  private func pictureBytes(of size: PixelSize, _ format: PixelFormat) -> Int {
    format.byteCount(of: self.size(of: size))
  }

  /// Returns the working memory of the reduction: a row of the source, and the sums of squares.
  func workBytes(of size: PixelSize, _ format: PixelFormat, inAnyOrder: Bool = false) -> Int {
    guard factor > 1 else { return 0 }
    let reduced = self.size(of: size)
    let rows = inAnyOrder ? reduced.height + 1 : 2
    let row = format.byteCount(of: PixelSize(width: size.width, height: 1))
    let sums = rows.multipliedSaturating(by: reduced.width)
      .multipliedSaturating(by: format.sampleCount * MemoryLayout<UInt32>.size)
    return row.addingSaturating(sums)
  }
}

extension PixelFormat {
  /// Returns the size in bytes of a picture without padding between rows; saturates at `Int.max`.
  func byteCount(of size: PixelSize) -> Int {
    planeLayouts.reduce(0) { sum, layout in
      let row = layout.elements(covering: size.width).multipliedSaturating(
        by: layout.bytesPerElement)
      return sum.addingSaturating(
        row.multipliedSaturating(by: layout.elements(covering: size.height)))
    }
  }

  /// The number of samples per pixel, for the formats that are decoded row by row.
  var sampleCount: Int { self == .gray16 ? 1 : planeLayouts[0].bytesPerElement }
}
