import OcellusImaging

/// The meaning of the four numbers of a box.
public struct BoxLayout: Hashable, Sendable, CustomStringConvertible {
  /// The coordinates of a box.
  public enum Kind: String, Hashable, Sendable {
    /// The four edges: left, top, right, bottom.
    case edges
    /// The upper left corner and the size: left, top, width, height.
    case corner
    /// The centre and the size: x, y, width, height.
    case center
  }

  /// The coordinates of the boxes.
  public var kind: Kind
  /// The position in the tensor of each coordinate, in the order that `kind` lists them.
  public var positions: [Int]
  /// The divisor that turns horizontal coordinates into fractions of the input: its width, or 1.
  public var width: Double
  /// The divisor that turns vertical coordinates into fractions of the input: its height, or 1.
  public var height: Double

  /// Creates a layout; `width` and `height` are 1 when coordinates are fractions of the input.
  public init(kind: Kind, positions: [Int] = [0, 1, 2, 3], width: Double = 1, height: Double = 1) {
    precondition(positions.sorted() == [0, 1, 2, 3], "not an order of four numbers")
    self.kind = kind
    self.positions = positions
    self.width = width
    self.height = height
  }

  /// The layout of TensorFlow's detectors: top, left, bottom, right, in fractions.
  public static let topLeftBottomRight = BoxLayout(kind: .edges, positions: [1, 0, 3, 2])
  /// YOLO's layout: the centre, then the size.
  public static let center = BoxLayout(kind: .center)

  /// Returns the box whose four numbers begin at `offset`, in fractions of the input.
  func box(_ values: UnsafeBufferPointer<Float>, at offset: Int, stride: Int = 1) -> BoundingBox {
    func number(_ index: Int) -> Double { Double(values[offset + positions[index] * stride]) }
    let (a, b, c, d) = (number(0), number(1), number(2), number(3))
    let box =
      switch kind {
      case .edges: BoundingBox(left: a, top: b, right: c, bottom: d)
      case .corner: BoundingBox(x: a, y: b, width: c, height: d)
      case .center: BoundingBox(x: a - c / 2, y: b - d / 2, width: c, height: d)
      }
    return width == 1 && height == 1 ? box : box.scaled(x: 1 / width, y: 1 / height)
  }

  /// The order and the unit of the numbers, in words.
  public var description: String {
    let names =
      switch kind {
      case .edges: ["left", "top", "right", "bottom"]
      case .corner: ["left", "top", "width", "height"]
      case .center: ["x", "y", "width", "height"]
      }
    let order = (0..<4).map { index in names[positions.firstIndex(of: index) ?? index] }
    let unit = width == 1 && height == 1 ? "fractions" : "pixels"
    return order.joined(separator: ", ") + " in " + unit
  }
}
