/// What a picture is read for: how large it has to be follows from its own size.
package struct PicturePurpose: Hashable, Sendable {
  /// The size to which the part is brought; `nil`: all pixels are wanted.
  private let size: PixelSize?
  private let fit: PictureFit
  /// The part of the upright picture that is looked at; `nil`: all of it.
  private let region: BoundingBox?
  /// Whether a picture that does not stand upright is turned first.
  private let turnsFirst: Bool

  /// A picture of which a part is brought to `size`.
  package init(
    size: PixelSize?, fit: PictureFit, region: BoundingBox?, resampler: Resampler
  ) {
    self.size = size
    self.fit = fit
    self.region = region
    turnsFirst = !ResamplingMethod.isAnyTurnExact(resampler)
  }

  /// The memory of the pictures that are made on the way, besides one that is read: where it has to be turned,
  /// one of red, green and blue, and the same upright.
  func turningBytes(_ format: PixelFormat, _ size: PixelSize, _ orientation: Orientation) -> Int {
    guard turnsFirst, orientation != .up else { return 0 }
    return PixelFormat.rgb8.byteCount(of: size).multipliedOrMost(by: format == .rgb8 ? 1 : 2)
  }

  /// The size that an upright picture must have at least, of which all there is has the size `full`.
  func minimumSize(of full: PixelSize) -> PixelSize {
    let part = region ?? BoundingBox(full)
    // What is wrong with the region is said by who looks at it.
    guard let size, part.width >= 1, part.height >= 1 else { return full }
    let (across, down) = (Double(size.width) / part.width, Double(size.height) / part.height)
    switch fit {
    case .stretch: return full.scaled(x: across, y: down)
    case .letterbox: return full.scaled(x: min(across, down), y: min(across, down))
    case .centerCrop: return full.scaled(x: max(across, down), y: max(across, down))
    }
  }
}

extension PixelSize {
  /// The size so many times as wide and high, or this one where that is larger; parts of a pixel count whole.
  fileprivate func scaled(x: Double, y: Double) -> PixelSize {
    PixelSize(
      width: Int((Double(width) * min(x, 1)).rounded(.up)),
      height: Int((Double(height) * min(y, 1)).rounded(.up)))
  }
}
