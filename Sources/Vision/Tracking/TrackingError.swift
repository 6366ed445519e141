/// An error for a frame that a tracker refuses; the tracker is unchanged and accepts later frames.
public enum TrackingError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The time of the frame precedes that of the last one.
  case timeWentBackwards(from: Duration, to: Duration)
  /// The numbers of boxes and scores differ.
  case countsDiffer(boxes: Int, scores: Int)

  /// The problem, in one line.
  public var description: String {
    switch self {
    case .timeWentBackwards(let last, let time):
      "a frame at \(time) follows one at \(last): times must not decrease"
    case .countsDiffer(let boxes, let scores):
      "\(boxes) boxes come with \(scores) scores"
    }
  }
}
