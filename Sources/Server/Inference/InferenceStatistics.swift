import OcellusJSON
import OcellusPlatform
import Synchronization

/// How long the stages of a request with tensors took.
struct InferenceTimes {
  enum Stage: String, CaseIterable {
    /// Waiting for an interpreter.
    case queue
    /// Reading the tensors of the request.
    case input = "compute_input"
    /// Running the model.
    case run = "compute_infer"
    /// Writing the tensors of the answer.
    case output = "compute_output"
  }

  private(set) var nanoseconds: [Stage: Int] = [:]
  private let start = MonotonicTime.now.nanoseconds
  private var last: Int

  /// Begins the first stage.
  init() { last = start }

  /// Ends a stage, and begins the next one.
  mutating func end(_ stage: Stage, at time: MonotonicTime = .now) {
    nanoseconds[stage] = time.nanoseconds - last
    last = time.nanoseconds
  }

  /// The time from the beginning to now.
  var total: Int { MonotonicTime.now.nanoseconds - start }
}

/// The numbers and times of the requests with tensors that a model was asked.
final class InferenceStatistics: Sendable {
  private struct Sum {
    var count = 0
    var nanoseconds = 0

    mutating func add(_ time: Int) {
      count += 1
      nanoseconds += time
    }

    var json: JSONValue { ["count": .integer(count), "ns": .integer(nanoseconds)] }
  }

  private struct State {
    var success = Sum()
    var failure = Sum()
    var stages: [InferenceTimes.Stage: Sum] = [:]
    /// The time of the last request, in milliseconds since 1970; 0 before the first.
    var last = 0
  }

  private let state = Mutex(State())

  /// Counts an answered request.
  func note(_ times: InferenceTimes) {
    let now = Self.millisecondsSince1970
    state.withLock { state in
      state.success.add(times.total)
      for (stage, time) in times.nanoseconds { state.stages[stage, default: Sum()].add(time) }
      state.last = now
    }
  }

  /// Counts a request that failed.
  func noteFailure(_ times: InferenceTimes) {
    let now = Self.millisecondsSince1970
    state.withLock { state in
      state.failure.add(times.total)
      state.last = now
    }
  }

  /// The members about a model in the document of statistics.
  ///
  /// Requests are not put together into batches, nor are answers cached.
  var document: JSONObject {
    let state = state.withLock { $0 }
    var stages: JSONObject = ["success": state.success.json, "fail": state.failure.json]
    for stage in InferenceTimes.Stage.allCases {
      stages.append(stage.rawValue, (state.stages[stage] ?? Sum()).json)
    }
    return [
      "last_inference": .integer(state.last), "inference_count": .integer(state.success.count),
      "execution_count": .integer(state.success.count), "inference_stats": .object(stages),
      "batch_stats": [],
    ]
  }

  private static var millisecondsSince1970: Int {
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    return now.tv_sec * 1000 + now.tv_nsec / 1_000_000
  }
}
