import Synchronization

/// Ends a fetch from another thread.
final class FetchCancellation: Sendable {
  private let isCancelledFlag = Atomic(false)

  var isCancelled: Bool { isCancelledFlag.load(ordering: .relaxed) }

  func cancel() { isCancelledFlag.store(true, ordering: .relaxed) }
}

/// Watches over one attempt to fetch something: whether it takes too long, and whether it is still wanted.
///
/// It goes by a clock that nobody sets.
public struct TransferWatch: Sendable {
  /// How long transports may sleep until they ask again.
  public static let interval = Duration.milliseconds(100)

  /// The longest that a connection may take to be there.
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

  /// How much time is left until it takes too long.
  var remaining: Duration { max(.zero, deadline - .now) }

  /// Notes that the server said something: all that is in front of an answer, or bytes of it.
  public mutating func noteSignOfLife() { lastSign = .now }

  /// Throws if the transfer has to end.
  public func check(_ address: WebAddress) throws(StoreError) {
    if cancellation.isCancelled { throw StoreError(.cancelled, "the fetch was cancelled") }
    let now = ContinuousClock.now
    if now > deadline {
      throw StoreError(.timedOut, "\(address): it takes longer than the conditions allow")
    }
    if now - lastSign > idleTimeout {
      throw StoreError(.timedOut, "\(address): the server does not answer, or not any more")
        .asTemporary()
    }
  }
}
