/// What a tensor represents.
package struct TensorContent: Sendable, Hashable {
  package enum Properties: Sendable, Hashable {
    /// Just numbers.
    case feature
    case image(colorSpace: ColorSpace, defaultSize: Size?)
    /// Boxes whose four numbers stand in the order that `index` gives; empty for the usual one.
    case boundingBox(index: [Int], kind: BoundingBoxKind, coordinates: Coordinates)
    case audio(sampleRate: Int, channels: Int)
    /// Of a later schema, or not given.
    case unknown
  }

  package enum ColorSpace: Int, Sendable {
    case unknown = 0
    case rgb = 1
    case grayscale = 2
  }

  /// In pixels.
  package struct Size: Sendable, Hashable {
    package var width: Int
    package var height: Int

    package init(width: Int, height: Int) {
      self.width = width
      self.height = height
    }
  }

  package enum BoundingBoxKind: Int, Sendable {
    case unknown = 0
    /// Left, top, right, bottom.
    case boundaries = 1
    /// Left, top, width, height.
    case upperLeft = 2
    /// Horizontal and vertical center, width, height.
    case center = 3
  }

  package enum Coordinates: Int, Sendable {
    /// From 0 to 1.
    case ratio = 0
    case pixel = 1
  }

  package var properties: Properties
  /// The dimensions that make up one such thing; nil for all but the batch.
  package var dimensions: DimensionRange?

  /// From the first to the last, both included; as stored, unchecked.
  package struct DimensionRange: Sendable, Hashable {
    package var first: Int
    package var last: Int

    package init(first: Int, last: Int) {
      self.first = first
      self.last = last
    }
  }
}
