/// What a tensor represents.
public struct TensorContent: Sendable, Hashable {
  /// What kind of thing a tensor is about.
  public enum Properties: Sendable, Hashable {
    /// Just numbers.
    case feature
    case image(colorSpace: ColorSpace, defaultSize: Size?)
    /// Boxes whose four numbers stand in the order that `index` gives; empty for the usual one.
    case boundingBox(index: [Int], kind: BoundingBoxKind, coordinates: Coordinates)
    case audio(sampleRate: Int, channels: Int)
    /// Of a later schema, or not given.
    case unknown
  }

  /// What the channels of a picture are.
  public enum ColorSpace: Int, Sendable {
    case unknown = 0
    case rgb = 1
    case grayscale = 2
  }

  /// In pixels.
  public struct Size: Sendable, Hashable {
    /// How wide it is.
    public var width: Int
    /// How high it is.
    public var height: Int

    package init(width: Int, height: Int) {
      self.width = width
      self.height = height
    }
  }

  /// What the four numbers of a box are.
  public enum BoundingBoxKind: Int, Sendable {
    case unknown = 0
    /// Left, top, right, bottom.
    case boundaries = 1
    /// Left, top, width, height.
    case upperLeft = 2
    /// Horizontal and vertical center, width, height.
    case center = 3
  }

  /// What the numbers of a box count.
  public enum Coordinates: Int, Sendable {
    /// From 0 to 1.
    case ratio = 0
    case pixel = 1
  }

  /// What kind of thing it is about.
  public var properties: Properties
  /// The dimensions that make up one such thing; nil for all but the batch.
  public var dimensions: DimensionRange?

  /// From the first to the last, both included; as stored, unchecked.
  public struct DimensionRange: Sendable, Hashable {
    /// The first one.
    public var first: Int
    /// The last one.
    public var last: Int

    package init(first: Int, last: Int) {
      self.first = first
      self.last = last
    }
  }
}
