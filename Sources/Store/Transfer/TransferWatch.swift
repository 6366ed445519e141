import Synchronization

/// A flag that cancels a fetch from another thread.
final class FetchCancellation: Sendable {
  private let isCancelledFlag = Atomic(false)

  var isCancelled: Bool { isCancelledFlag.load(ordering: .relaxed) }

  func cancel() { isCancelledFlag.store(true, ordering: .relaxed) }
}

/// The timeouts and the cancellation of one attempt to fetch something.
///
/// The times are measured with a monotonic clock.
public struct TransferWatch: Sendable {
  /// The longest time that a transport may wait between two checks.
  public static let interval = Duration.milliseconds(100)

  /// The longest time for establishing a connection.
  public let connectionTimeout: Duration
  private let idleTimeout: Duration
  private let deadline: ContinuousClock.Instant
  private let cancellation: FetchCancellation
  private var lastSign = ContinuousClock.now

  init(
    _ conditions: FetchConditions, until deadline: ContinuousClock.Instant,
    _ cancellation: FetchCancellation
  ) {
    connectionTimeout = conditions.connectionTimeout
    idleTimeout = conditions.idleTimeout
    self.deadline = deadline
    self.cancellation = cancellation
  }

  /// The time left until the deadline.
  var remaining: Duration { max(.zero, deadline - .now) }

  /// Records progress: a complete response header, or bytes of the body.
  public mutating func noteSignOfLife() { lastSign = .now }

  /// Throws if the transfer has timed out or was cancelled.
  public func check(_ address: WebAddress) throws(StoreError) {
    if cancellation.isCancelled { throw StoreError(.cancelled, "the fetch was cancelled") }
    let now = ContinuousClock.now
    if now > deadline {
      throw StoreError(.timedOut, "\(address): it takes longer than the conditions allow")
    }
    if now - lastSign > idleTimeout {
      throw StoreError(
        .timedOut, "\(address): the server does not answer, or has stopped answering"
      )
      .asTemporary()
    }
  }
}
