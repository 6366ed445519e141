/// A frame that a tracker refuses; it stays as it was, and takes the next good frame.
public enum TrackingError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The time of the frame lies before that of the last one.
  case timeWentBackwards(from: Duration, to: Duration)
  /// There are not as many scores as boxes.
  case countsDiffer(boxes: Int, scores: Int)

  /// What is wrong, in one line.
  public var description: String {
    switch self {
    case .timeWentBackwards(let last, let time):
      "a frame at \(time) comes behind one at \(last): times must not go backwards"
    case .countsDiffer(let boxes, let scores):
      "\(boxes) boxes come with \(scores) scores"
    }
  }
}
