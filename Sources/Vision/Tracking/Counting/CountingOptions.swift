import OcellusImaging

/// When counters believe that an object is somewhere: what keeps trembling boxes from counting twice.
public struct CountingOptions: Hashable, Sendable {
  /// The point of a box that lines and zones look at.
  public enum Anchor: Hashable, Sendable {
    /// The middle of the box.
    case center
    /// The middle of the lower edge, where an object stands on the ground.
    case bottom
  }

  /// How far from a line or an edge, in pixels, an object must be to be on one side of it.
  public var band: Double
  /// How long an object must stay on a side to be counted there.
  public var minimumDwell: Duration
  /// The point of a box that counts.
  public var anchor: Anchor
  /// The indices of the categories that are counted; `nil` for all objects.
  public var categories: Set<Int>?
  /// How long an object may be out of sight before it is forgotten, and has left a zone.
  public var memory: Duration

  /// Options with defaults for objects of some dozens of pixels.
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

  /// Whether an object may be counted: it has an identity, and a category that is asked for.
  func counts(_ track: Track) -> Bool {
    guard track.isConfirmed else { return false }
    guard let categories else { return true }
    return track.category.map { categories.contains($0.index) } ?? false
  }
}

extension CountingOptions.Anchor {
  /// The point of a box.
  func point(of box: BoundingBox) -> PixelPoint {
    switch self {
    case .center: box.center
    case .bottom: PixelPoint(x: box.center.x, y: box.bottom)
    }
  }
}
