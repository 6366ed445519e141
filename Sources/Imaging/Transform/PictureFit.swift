/// How a picture of one shape is brought into a rectangle of another.
public enum PictureFit: Hashable, Sendable {
  /// Width and height each take all of the room: the picture may be distorted.
  case stretch
  /// The whole picture, as large as it fits, with padding around it.
  case letterbox(Position)
  /// The largest part from the middle that has the shape of the rectangle.
  case centerCrop

  /// Where a letterboxed picture lies.
  public enum Position: String, CaseIterable, Hashable, Sendable {
    /// In the middle; of an odd number of padded pixels one more is behind than in front.
    case center
    /// In the upper left corner.
    case corner
  }
}

extension PictureFit {
  /// Where a region of an upright picture of size `source` comes to lie in the rectangle.
  ///
  /// Pixels are not divided: the edges of the region move to the nearest pixel edges first, and all
  /// that follows has whole pixels too. The mapping says what became of them.
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
      // The part of the picture into which a picture of the rectangle's shape would fit.
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
  /// The largest size of this shape that fits in another, to the nearest pixel, and at least one.
  fileprivate func scaled(toFitIn room: PixelSize) -> PixelSize {
    let scale = min(Double(room.width) / Double(width), Double(room.height) / Double(height))
    func scaled(_ length: Int, _ limit: Int) -> Int {
      min(max(Int((Double(length) * scale).rounded(.toNearestOrEven)), 1), limit)
    }
    return PixelSize(width: scaled(width, room.width), height: scaled(height, room.height))
  }
}
