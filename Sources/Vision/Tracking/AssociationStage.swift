/// One round of pairing tracks with detections; each round gets what the rounds before it left over.
public struct AssociationStage: Hashable, Sendable {
  /// Which tracks take part.
  public struct Tracks: OptionSet, Hashable, Sendable {
    /// One bit for each group.
    public let rawValue: UInt8

    /// The groups of these bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Objects that have no identity yet.
    public static let tentative = Tracks(rawValue: 1)
    /// Objects with an identity that were seen in the last frame.
    public static let visible = Tracks(rawValue: 2)
    /// Objects with an identity that were not seen in the last frame.
    public static let lost = Tracks(rawValue: 4)
    /// All of them.
    public static let all: Tracks = [.tentative, .visible, .lost]
  }

  /// Which detections take part.
  public struct Detections: OptionSet, Hashable, Sendable {
    /// One bit for each band.
    public let rawValue: UInt8

    /// The bands of these bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Those with a score of `TrackerOptions.highScore` and above.
    public static let high = Detections(rawValue: 1)
    /// Those between `TrackerOptions.lowScore` and `TrackerOptions.highScore`.
    public static let low = Detections(rawValue: 2)
  }

  /// Where a track is compared with detections.
  public enum Place: Hashable, Sendable {
    /// Where the motion model expects it.
    case predicted
    /// Where it was observed last (observation-centric recovery, Cao and others 2023).
    case observed
  }

  /// The tracks that take part.
  public var tracks: Tracks
  /// The detections that take part.
  public var detections: Detections
  /// Where the tracks are compared with detections.
  public var place: Place
  /// The least overlap of a pair: intersection over union, after everything below that changes it.
  public var minimumOverlap: Double
  /// Whether the overlap is multiplied by how far the vertical extents agree (height-modulated IoU,
  /// Yang and others 2024): neighbours at another distance have another height.
  public var modulatesHeight: Bool
  /// By how much of its size each box is enlarged on every side first (C-BIoU, Yang and others 2023).
  public var margin: Double
  /// Whether the overlap is multiplied by the score of the detection (ByteTrack).
  public var fusesScore: Bool
  /// How much a difference of scores takes from the overlap: an object that was seen well is seldom the one that is
  /// hardly seen now (tracklet confidence, Hybrid-SORT).
  public var scoreWeight: Double
  /// The weight of agreement between the course of the track and the way to the detection
  /// (observation-centric momentum, OC-SORT).
  public var directionWeight: Double

  /// For how long without observations tracks take part; `nil` for their whole lifetime.
  public var longestGap: Duration?
  /// Whether the round is left out in scenes whose objects go on rather than stay about one place, as far as they
  /// have been seen to.
  public var isForStayingObjects: Bool

  /// A round for these tracks and detections.
  public init(
    tracks: Tracks, detections: Detections, place: Place = .predicted, minimumOverlap: Double,
    modulatesHeight: Bool = false, margin: Double = 0, fusesScore: Bool = false,
    scoreWeight: Double = 0, directionWeight: Double = 0, longestGap: Duration? = nil,
    isForStayingObjects: Bool = false
  ) {
    self.tracks = tracks
    self.detections = detections
    self.place = place
    self.minimumOverlap = minimumOverlap
    self.modulatesHeight = modulatesHeight
    self.margin = margin
    self.fusesScore = fusesScore
    self.scoreWeight = scoreWeight
    self.directionWeight = directionWeight
    self.longestGap = longestGap
    self.isForStayingObjects = isForStayingObjects
  }
}
