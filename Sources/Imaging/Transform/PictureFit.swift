/// A rule for fitting a picture of one aspect ratio into a rectangle of another.
public enum PictureFit: Hashable, Sendable {
  /// Scales width and height independently to fill the rectangle, which may distort the picture.
  case stretch
  /// Scales the whole picture to the largest size that fits, with padding around it.
  case letterbox(Position)
  /// Crops the largest centred region that has the aspect ratio of the rectangle.
  case centerCrop

  /// The position of a letterboxed picture.
  public enum Position: String, CaseIterable, Hashable, Sendable {
    /// In the middle; an odd padding has its extra pixel on the right or at the bottom.
    case center
    /// In the upper left corner.
    case corner
  }
}

extension PictureFit {
  /// Returns the mapping of a region of an upright picture of size `source` into the rectangle.
  ///
  /// The edges of the region are rounded to pixel edges, and all computed rectangles have whole
  /// pixels. The mapping has the exact rectangles.
  public func mapping(
    of source: PixelSize, region: BoundingBox? = nil, into destination: PixelSize
  ) throws(ImageError) -> PictureMapping {
    guard destination.width > 0, destination.height > 0 else {
      throw ImageError(.mismatched, "no picture fits a size of \(destination)")
    }
    var part = try PixelRectangle(rounding: region ?? BoundingBox(source))
    var target = PixelRectangle(destination)
    switch self {
    case .stretch: break
    case .letterbox(let position):
      let size = part.size.scaled(toFitIn: destination)
      let isCentered = position == .center
      target = PixelRectangle(
        x: isCentered ? (destination.width - size.width) / 2 : 0,
        y: isCentered ? (destination.height - size.height) / 2 : 0, size: size)
    case .centerCrop:
      // The largest centred rectangle within the region that has the destination's aspect ratio.
      let size = destination.scaled(toFitIn: part.size)
      part = PixelRectangle(
        x: part.x + (part.width - size.width) / 2, y: part.y + (part.height - size.height) / 2,
        size: size)
    }
    return PictureMapping(
      source: source, destination: destination, sourcePart: part, destinationPart: target)
  }
}

extension PixelSize {
  /// Returns the largest size of this aspect ratio that fits in `bounds`, rounded, at least one
  /// pixel.
  fileprivate func scaled(toFitIn bounds: PixelSize) -> PixelSize {
    let scale = min(Double(bounds.width) / Double(width), Double(bounds.height) / Double(height))
    func scaled(_ length: Int, _ limit: Int) -> Int {
      min(max(Int((Double(length) * scale).rounded(.toNearestOrEven)), 1), limit)
    }
    return PixelSize(width: scaled(width, bounds.width), height: scaled(height, bounds.height))
  }
}
