public import OcellusImaging

/// A box as in COCO's files: its upper left corner and its size, in pixels.
///
/// The measures use this form because a width computed from two edges is rounded differently:
/// matching pycocotools to the last bit requires the same numbers.
public struct CornerBox: Hashable, Sendable {
  /// The distance from the picture's left edge.
  public var x: Double
  /// The distance from the picture's upper edge.
  public var y: Double
  /// The width; negative when the edges are in the wrong order.
  public var width: Double
  /// The height; negative when the edges are in the wrong order.
  public var height: Double

  /// Creates a box from its upper left corner and its size.
  public init(x: Double, y: Double, width: Double, height: Double) {
    self.x = x
    self.y = y
    self.width = width
    self.height = height
  }

  /// Creates the corner form of a box.
  public init(_ box: BoundingBox) {
    self.init(x: box.left, y: box.top, width: box.width, height: box.height)
  }

  /// The product of width and height; negative when one of them is.
  public var area: Double { width * height }

  /// Returns the intersection over union; for a crowd, the intersection over this box's area.
  func overlap(with other: CornerBox, asPartOf isCrowd: Bool = false) -> Double {
    let commonWidth = min(x + width, other.x + other.width) - max(x, other.x)
    let commonHeight = min(y + height, other.y + other.height) - max(y, other.y)
    guard commonWidth > 0, commonHeight > 0 else { return 0 }
    let common = commonWidth * commonHeight
    return common / (isCrowd ? area : area + other.area - common)
  }
}
