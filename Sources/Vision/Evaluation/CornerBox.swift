public import OcellusImaging

/// A box as COCO's files have it: its upper left corner and its size, in pixels.
///
/// The measures use it because the width between two edges is not quite the one that they were made
/// of: results that are to be those of pycocotools begin with the same numbers.
public struct CornerBox: Hashable, Sendable {
  /// The distance of the left edge from that of the picture.
  public var x: Double
  /// The distance of the upper edge from that of the picture.
  public var y: Double
  /// The width; negative for edges in the wrong order.
  public var width: Double
  /// The height; negative for edges in the wrong order.
  public var height: Double

  /// The box at a corner.
  public init(x: Double, y: Double, width: Double, height: Double) {
    self.x = x
    self.y = y
    self.width = width
    self.height = height
  }

  /// The same box by its edges.
  public init(_ box: BoundingBox) {
    self.init(x: box.left, y: box.top, width: box.width, height: box.height)
  }

  /// The area as files have it; negative where one side is.
  public var area: Double { width * height }

  /// The common area as a share of what the two cover together; `asPartOf` a crowd, of this box alone.
  func overlap(with other: CornerBox, asPartOf isCrowd: Bool = false) -> Double {
    let commonWidth = min(x + width, other.x + other.width) - max(x, other.x)
    let commonHeight = min(y + height, other.y + other.height) - max(y, other.y)
    guard commonWidth > 0, commonHeight > 0 else { return 0 }
    let common = commonWidth * commonHeight
    return common / (isCrowd ? area : area + other.area - common)
  }
}
