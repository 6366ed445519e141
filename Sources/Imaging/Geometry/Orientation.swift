/// The rotation or mirroring that makes a stored picture upright: the eight values of EXIF.
///
/// The cases are named after the corner of the scene at the first stored pixel. The static members
/// have the names of `UIImage.Orientation`, which describe the rotation of the camera: a picture
/// marked `.right` is rotated a quarter turn clockwise to become upright.
public enum Orientation: Int, CaseIterable, Hashable, Sendable {
  /// The stored picture is upright.
  case topLeft = 1
  /// The stored picture is the mirror image of the upright one.
  case topRight = 2
  /// The stored picture is upside down.
  case bottomRight = 3
  /// The stored picture is upside down and mirrored: its rows are in the opposite order.
  case bottomLeft = 4
  /// The stored picture is transposed.
  case leftTop = 5
  /// The stored picture has to be rotated a quarter turn clockwise.
  case rightTop = 6
  /// The stored picture is transposed, and its rows and columns are in reverse order.
  case rightBottom = 7
  /// The stored picture has to be rotated a quarter turn counterclockwise.
  case leftBottom = 8

  /// Upright; the same as `topLeft`.
  public static let up = Orientation.topLeft
  /// Mirrored; the same as `topRight`.
  public static let upMirrored = Orientation.topRight
  /// Upside down; the same as `bottomRight`.
  public static let down = Orientation.bottomRight
  /// Upside down and mirrored; the same as `bottomLeft`.
  public static let downMirrored = Orientation.bottomLeft
  /// Transposed; the same as `leftTop`.
  public static let leftMirrored = Orientation.leftTop
  /// To be rotated a quarter turn clockwise; the same as `rightTop`.
  public static let right = Orientation.rightTop
  /// Transposed along the other diagonal; the same as `rightBottom`.
  public static let rightMirrored = Orientation.rightBottom
  /// To be rotated a quarter turn counterclockwise; the same as `leftBottom`.
  public static let left = Orientation.leftBottom
}

// The eight orientations are the symmetries of a square. Each is an optional transposition,
// followed by an optional horizontal and an optional vertical flip of the result. Three bits
// describe them all.
extension Orientation {
  /// Whether width and height are exchanged to make the picture upright.
  public var isTransposed: Bool { rawValue >= 5 }

  /// Whether, after the transposition, left and right are exchanged.
  package var flipsHorizontally: Bool {
    switch self {
    case .topRight, .bottomRight, .rightTop, .rightBottom: true
    case .topLeft, .bottomLeft, .leftTop, .leftBottom: false
    }
  }

  /// Whether, after the transposition, top and bottom are exchanged.
  package var flipsVertically: Bool {
    switch self {
    case .bottomRight, .bottomLeft, .leftBottom, .rightBottom: true
    case .topLeft, .topRight, .leftTop, .rightTop: false
    }
  }

  private init(transposed: Bool, flipsHorizontally: Bool, flipsVertically: Bool) {
    switch (transposed, flipsHorizontally, flipsVertically) {
    case (false, false, false): self = .topLeft
    case (false, true, false): self = .topRight
    case (false, true, true): self = .bottomRight
    case (false, false, true): self = .bottomLeft
    case (true, false, false): self = .leftTop
    case (true, true, false): self = .rightTop
    case (true, true, true): self = .rightBottom
    case (true, false, true): self = .leftBottom
    }
  }

  /// The orientation that undoes this one.
  public var inverse: Orientation {
    // A flip is its own inverse; a transposition exchanges horizontal and vertical flips.
    Orientation(
      transposed: isTransposed,
      flipsHorizontally: isTransposed ? flipsVertically : flipsHorizontally,
      flipsVertically: isTransposed ? flipsHorizontally : flipsVertically)
  }

  /// Returns the orientation that has the effect of this one followed by `next`.
  public func followed(by next: Orientation) -> Orientation {
    Orientation(
      transposed: isTransposed != next.isTransposed,
      flipsHorizontally: (next.isTransposed ? flipsVertically : flipsHorizontally)
        != next.flipsHorizontally,
      flipsVertically: (next.isTransposed ? flipsHorizontally : flipsVertically)
        != next.flipsVertically)
  }

  /// Returns the size of the upright picture whose stored pixels have this size.
  public func uprightSize(ofStored size: PixelSize) -> PixelSize {
    isTransposed ? size.transposed : size
  }

  /// Returns the upright coordinates of a point in stored coordinates.
  public func upright(_ point: PixelPoint, stored size: PixelSize) -> PixelPoint {
    let upright = uprightSize(ofStored: size)
    let unflipped = isTransposed ? PixelPoint(x: point.y, y: point.x) : point
    return PixelPoint(
      x: flipsHorizontally ? Double(upright.width) - unflipped.x : unflipped.x,
      y: flipsVertically ? Double(upright.height) - unflipped.y : unflipped.y)
  }

  /// Returns the upright coordinates of a box in stored coordinates.
  public func upright(_ box: BoundingBox, stored size: PixelSize) -> BoundingBox {
    let first = upright(PixelPoint(x: box.left, y: box.top), stored: size)
    let second = upright(PixelPoint(x: box.right, y: box.bottom), stored: size)
    return BoundingBox(
      left: min(first.x, second.x), top: min(first.y, second.y),
      right: max(first.x, second.x), bottom: max(first.y, second.y))
  }

  /// Returns the stored coordinates of an upright point, in a stored picture of size `size`.
  public func stored(_ point: PixelPoint, stored size: PixelSize) -> PixelPoint {
    inverse.upright(point, stored: uprightSize(ofStored: size))
  }

  /// Returns the stored coordinates of an upright box, in a stored picture of size `size`.
  public func stored(_ box: BoundingBox, stored size: PixelSize) -> BoundingBox {
    inverse.upright(box, stored: uprightSize(ofStored: size))
  }
}
