/// The meaning of a tensor's numbers.
public struct TensorContent: Sendable, Hashable {
  /// The kind of content, with its properties.
  public enum Properties: Sendable, Hashable {
    /// Numbers without a more specific meaning.
    case feature
    case image(colorSpace: ColorSpace, defaultSize: Size?)
    /// Boxes whose four numbers are in the order that `index` gives; empty for the usual order.
    case boundingBox(index: [Int], kind: BoundingBoxKind, coordinates: Coordinates)
    case audio(sampleRate: Int, channels: Int)
    /// Content of a later schema, or not given.
    case unknown
  }

  /// The meaning of a picture's channels.
  public enum ColorSpace: Int, Sendable {
    case unknown = 0
    case rgb = 1
    case grayscale = 2
  }

  /// A size in pixels.
  public struct Size: Sendable, Hashable {
    /// The width in pixels.
    public var width: Int
    /// The height in pixels.
    public var height: Int

    package init(width: Int, height: Int) {
      self.width = width
      self.height = height
    }
  }

  /// The meaning of a box's four numbers.
  public enum BoundingBoxKind: Int, Sendable {
    case unknown = 0
    /// Left, top, right, bottom.
    case boundaries = 1
    /// Left, top, width, height.
    case upperLeft = 2
    /// Horizontal and vertical center, width, height.
    case center = 3
  }

  /// The unit of a box's coordinates.
  public enum Coordinates: Int, Sendable {
    /// Fractions of the picture's size, from 0 to 1.
    case ratio = 0
    case pixel = 1
  }

  /// The kind of content, with its properties.
  public var properties: Properties
  /// The dimensions that make up one item; `nil` for all except the batch dimension.
  public var dimensions: DimensionRange?

  /// A range of dimensions, both ends included; as stored, unchecked.
  public struct DimensionRange: Sendable, Hashable {
    /// The first dimension.
    public var first: Int
    /// The last dimension.
    public var last: Int

    package init(first: Int, last: Int) {
      self.first = first
      self.last = last
    }
  }
}
