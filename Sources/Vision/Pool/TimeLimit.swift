import OcellusEngine

/// Runs `body`, and cancels it when the time limit passes; `nil` is no limit.
///
/// - Throws: `VisionError.model` of kind `deadlineExceeded` when the limit has passed, and the
///   errors of `body`.
func withTimeLimit<Answer: Sendable>(
  _ limit: Duration?, _ body: @escaping @Sendable () async throws -> Answer
) async throws -> Answer {
  guard let limit else { return try await body() }
  return try await withThrowingTaskGroup(of: Answer?.self) { group in
    defer { group.cancelAll() }
    group.addTask { try await body() }
    group.addTask {
      try await AlarmClock.shared.sleep(for: limit)
      return nil
    }
    if let answer = try await group.next() ?? nil { return answer }
    group.cancelAll()
    // An answer that is ready when the time runs out is delivered nevertheless.
    do {
      if let answer = try await group.next() ?? nil { return answer }
    } catch is CancellationError {}
    throw VisionError.model(
      ModelError(.deadlineExceeded, "the call exceeded its deadline of \(limit)"))
  }
}
