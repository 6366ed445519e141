import OcellusPlatform

/// The number of answered and failed requests, and the distribution of their times.
struct WorkStatistics: Sendable {
  /// The histogram's steps per doubling, about 5 % each, so percentiles need no list of all times.
  private static let stepsPerDouble = 14.0
  private static let shortest = 1e-5
  private static let maximumSteps = 512

  /// The bounds of the histogram for Prometheus, in seconds.
  private static let bounds = [
    0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
  ]

  private let start = MonotonicTime.now
  private var counts = [Int](repeating: 0, count: maximumSteps)
  private var below = [Int](repeating: 0, count: bounds.count)
  private(set) var answered = 0
  private(set) var failed = 0
  private var seconds = 0.0

  /// Counts an answer and the time to make it.
  mutating func add(seconds time: Double, isFailure: Bool) {
    answered += 1
    if isFailure { failed += 1 }
    seconds += time
    let step = Int((log2(max(time, Self.shortest) / Self.shortest) * Self.stepsPerDouble).rounded())
    counts[min(step, Self.maximumSteps - 1)] += 1
    for (index, bound) in Self.bounds.enumerated() where time <= bound { below[index] += 1 }
  }

  /// Returns the time that a share of the answers did not exceed, within 5 %.
  func percentile(_ share: Double) -> Double {
    var rest = Int((share * Double(answered)).rounded(.up))
    for (step, count) in counts.enumerated() {
      rest -= count
      if rest <= 0 { return Self.shortest * exp2(Double(step) / Self.stepsPerDouble) }
    }
    return 0
  }

  /// The statistics in one line.
  var text: String {
    let elapsed = max(start.secondsToNow, 1e-9)
    let times = [0.5, 0.9, 0.99].map { (percentile($0) * 1000).fixed(1) }
    return """
      \(answered) requests in \(elapsed.fixed(1)) s, \((Double(answered) / elapsed).fixed(1)) a second, \
      \(failed) failed; half within \(times[0]) ms, 90 % within \(times[1]), 99 % within \(times[2])
      """
  }

  /// The statistics in Prometheus's text format.
  var prometheus: String {
    var text = """
      # HELP ocellus_worker_requests_total Requests answered, those that failed among them.
      # TYPE ocellus_worker_requests_total counter
      ocellus_worker_requests_total \(answered)
      # HELP ocellus_worker_failures_total Requests answered by an error.
      # TYPE ocellus_worker_failures_total counter
      ocellus_worker_failures_total \(failed)
      # HELP ocellus_worker_up_seconds The time since the worker started.
      # TYPE ocellus_worker_up_seconds gauge
      ocellus_worker_up_seconds \(start.secondsToNow)
      # HELP ocellus_worker_request_seconds The time to make an answer, from reading its file on.
      # TYPE ocellus_worker_request_seconds histogram

      """
    for (bound, count) in zip(Self.bounds, below) {
      text += "ocellus_worker_request_seconds_bucket{le=\"\(bound)\"} \(count)\n"
    }
    text += """
      ocellus_worker_request_seconds_bucket{le="+Inf"} \(answered)
      ocellus_worker_request_seconds_sum \(seconds)
      ocellus_worker_request_seconds_count \(answered)

      """
    return text
  }
}
