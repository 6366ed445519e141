/// What a worker process may take.
struct WorkerLimits: Sendable {
  /// Processor time for one piece of work, in seconds; on the clock it may take ten times as long, so
  /// that a busy machine makes no false alarms and a piece that sleeps for ever is still found.
  let secondsPerPiece: Double
  /// Address space beyond what the process starts with, in bytes; nil for no limit.
  let memory: Int?

  /// The longest a piece may take on the clock, in seconds.
  var clockSecondsPerPiece: Double { 10 * secondsPerPiece }
}
