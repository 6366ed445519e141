import OcellusImaging

/// The settings for counting objects; they keep jittering boxes from being counted twice.
public struct CountingOptions: Hashable, Sendable {
  /// The point of a box that is compared with lines and zones.
  public enum Anchor: Hashable, Sendable {
    /// The centre of the box.
    case center
    /// The middle of the lower edge, where an object stands on the ground.
    case bottom
  }

  /// The distance from a line or an edge, in pixels, that an object must exceed to be on one side.
  public var band: Double
  /// The time that an object must stay on a side to be counted there.
  public var minimumDwell: Duration
  /// The point of a box that is compared with lines and zones.
  public var anchor: Anchor
  /// The indices of the categories that are counted; `nil`: all objects.
  public var categories: Set<Int>?
  /// The time out of sight after which an object is forgotten, and has left a zone.
  public var memory: Duration

  /// Creates options; the defaults suit objects with sizes of some dozens of pixels.
  public init(
    band: Double = 5, minimumDwell: Duration = .zero, anchor: Anchor = .center,
    categories: Set<Int>? = nil, memory: Duration = .seconds(10)
  ) {
    self.band = band
    self.minimumDwell = minimumDwell
    self.anchor = anchor
    self.categories = categories
    self.memory = memory
  }

  /// Whether an object may be counted: it has an identity and one of the counted categories.
  func counts(_ track: Track) -> Bool {
    guard track.isConfirmed else { return false }
    guard let categories else { return true }
    return track.category.map { categories.contains($0.index) } ?? false
  }
}

extension CountingOptions.Anchor {
  /// Returns the anchor point of a box.
  func point(of box: BoundingBox) -> PixelPoint {
    switch self {
    case .center: box.center
    case .bottom: PixelPoint(x: box.center.x, y: box.bottom)
    }
  }
}
