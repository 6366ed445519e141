/// The memory layout of the rows of a batch of sequences.
struct SequenceLayout: Sendable {
  /// The axis of time; without one, there is one step.
  enum TimeAxis: Sendable { case none, first, second }

  let stepCount: Int
  let batchCount: Int
  private let isTimeMajor: Bool
  /// Whether official kernels compute a step for all batches at once.
  let joinsBatches: Bool

  /// Creates the layout of `[time, batch, …]`, `[batch, time, …]` or `[batch, …]`.
  init(_ shape: Shape, _ time: TimeAxis) {
    switch time {
    case .none: (stepCount, batchCount) = (1, shape[0])
    case .first: (stepCount, batchCount) = (shape[0], shape[1])
    case .second: (stepCount, batchCount) = (shape[1], shape[0])
    }
    isTimeMajor = time == .first
    joinsBatches = time != .second
  }

  /// Whether LiteRT's built-in float kernels multiply matrices by vectors, in an order of their own;
  /// for several batches at once they multiply matrices.
  var multipliesInLanes: Bool { !joinsBatches || batchCount == 1 }

  /// The distance in rows between adjacent steps of one batch item.
  var stepDistance: Int { isTimeMajor ? batchCount : 1 }

  /// Returns the index of a row.
  func row(step: Int, batch: Int) -> Int {
    isTimeMajor ? step * batchCount + batch : batch * stepCount + step
  }
}
