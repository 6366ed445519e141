/// The later use of a picture, from which the size at which it is decoded follows.
package struct PicturePurpose: Hashable, Sendable {
  /// The size to which the region will be resized; `nil` if all pixels are needed.
  private let size: PixelSize?
  private let fit: PictureFit
  /// The region of the upright picture that will be used; `nil` for the whole picture.
  private let region: BoundingBox?
  /// Whether a picture that is not stored upright is rotated before it is resized.
  private let rotatesFirst: Bool

  /// Creates the purpose of a picture whose region is resized to `size`.
  package init(
    size: PixelSize?, fit: PictureFit, region: BoundingBox?, resampler: Resampler
  ) {
    self.size = size
    self.fit = fit
    self.region = region
    rotatesFirst = !ResamplingMethod.isExactInStoredOrder(resampler)
  }

  /// Returns the memory of the intermediate pictures besides the decoded one.
  ///
  /// A picture that has to be rotated is converted to RGB, if it is not, and copied upright.
  func rotationBytes(_ format: PixelFormat, _ size: PixelSize, _ orientation: Orientation) -> Int {
    guard rotatesFirst, orientation != .up else { return 0 }
    return PixelFormat.rgb8.byteCount(of: size).multipliedSaturating(by: format == .rgb8 ? 1 : 2)
  }

  /// Returns the minimum size of an upright picture whose full size is `full`.
  func minimumSize(of full: PixelSize) -> PixelSize {
    let part = region ?? BoundingBox(full)
    // The code that uses the region reports errors in it.
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
  /// Returns the size multiplied by factors of at most 1, rounded up.
  fileprivate func scaled(x: Double, y: Double) -> PixelSize {
    PixelSize(
      width: Int((Double(width) * min(x, 1)).rounded(.up)),
      height: Int((Double(height) * min(y, 1)).rounded(.up)))
  }
}
