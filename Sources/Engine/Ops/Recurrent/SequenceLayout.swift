/// How the rows of a sequence of batches lie in memory.
struct SequenceLayout: Sendable {
  /// Which dimension is the time, if any: without one there is one step.
  enum TimeAxis: Sendable { case none, first, second }

  let stepCount: Int
  let batchCount: Int
  private let isTimeMajor: Bool

  /// The layout of `[time, batch, …]`, `[batch, time, …]` or `[batch, …]`.
  init(_ shape: Shape, _ time: TimeAxis) {
    switch time {
    case .none: (stepCount, batchCount) = (1, shape[0])
    case .first: (stepCount, batchCount) = (shape[0], shape[1])
    case .second: (stepCount, batchCount) = (shape[1], shape[0])
    }
    isTimeMajor = time == .first
  }

  /// From a row to the next step's of the same batch.
  var stepDistance: Int { isTimeMajor ? batchCount : 1 }

  /// The position of a row, among rows of equal length.
  func row(step: Int, batch: Int) -> Int {
    isTimeMajor ? step * batchCount + batch : batch * stepCount + step
  }
}
