/// A round of pairing tracks with detections; each round gets what earlier rounds left unpaired.
public struct AssociationStage: Hashable, Sendable {
  /// The groups of tracks that take part.
  public struct Tracks: OptionSet, Hashable, Sendable {
    /// One bit for each group.
    public let rawValue: UInt8

    /// Creates a set of the groups with these bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Tracks that have no identity yet.
    public static let tentative = Tracks(rawValue: 1)
    /// Tracks with an identity that were observed in the last frame.
    public static let visible = Tracks(rawValue: 2)
    /// Tracks with an identity that were not observed in the last frame.
    public static let lost = Tracks(rawValue: 4)
    /// All tracks.
    public static let all: Tracks = [.tentative, .visible, .lost]
  }

  /// The score ranges of the detections that take part.
  public struct Detections: OptionSet, Hashable, Sendable {
    /// One bit for each score range.
    public let rawValue: UInt8

    /// Creates a set of the score ranges with these bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Detections with a score of `TrackerOptions.highScore` or more.
    public static let high = Detections(rawValue: 1)
    /// Detections with a score from `TrackerOptions.lowScore` to `TrackerOptions.highScore`.
    public static let low = Detections(rawValue: 2)
  }

  /// The box of a track that is compared with detections.
  public enum Place: Hashable, Sendable {
    /// The box that the motion model predicts.
    case predicted
    /// The last observed box (observation-centric recovery, Cao and others 2023).
    case observed
  }

  /// The tracks that take part.
  public var tracks: Tracks
  /// The detections that take part.
  public var detections: Detections
  /// The box of a track that is compared with detections.
  public var place: Place
  /// The smallest overlap of a pair: intersection over union, modified as the properties below say.
  public var minimumOverlap: Double
  /// Whether the overlap is multiplied by that of the vertical extents.
  ///
  /// This is the height-modulated IoU of Yang and others (2024).
  ///
  /// Neighbours at another distance from the camera have another height.
  public var modulatesHeight: Bool
  /// The share of its size by which each box is first enlarged on every side (C-BIoU, 2023).
  public var margin: Double
  /// Whether the overlap is multiplied by the score of the detection (ByteTrack).
  public var fusesScore: Bool
  /// The weight of the difference of scores, which is subtracted from the overlap.
  ///
  /// This is the tracklet confidence of Hybrid-SORT.
  ///
  /// An object that was clearly visible is seldom the one that is hardly visible now.
  public var scoreWeight: Double
  /// The weight of the agreement of the track's course with the direction to the detection.
  ///
  /// This is the observation-centric momentum of OC-SORT.
  public var directionWeight: Double

  /// The longest gap in observations for which tracks take part; `nil`: their whole lifetime.
  public var longestGap: Duration?
  /// Whether the round is run only in scenes whose objects tend to stay near one place.
  ///
  /// The tracker learns from earlier frames whether objects stay or move on.
  public var isForStayingObjects: Bool

  /// Creates a round for these tracks and detections.
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
