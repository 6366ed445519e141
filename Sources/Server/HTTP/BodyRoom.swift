import Synchronization

/// The memory for the bodies of all requests.
final class BodyRoom: Sendable {
  private let limit: Int
  private let used = Mutex(0)

  init(limit: Int) { self.limit = limit }

  /// Takes room for more bytes; returns `false` if there is none.
  func take(_ count: Int) -> Bool {
    used.withLock { used in
      guard used + count <= limit else { return false }
      used += count
      return true
    }
  }

  func giveBack(_ count: Int) { used.withLock { $0 -= count } }

  /// The number of bytes that are taken.
  var usedBytes: Int { used.withLock { $0 } }
}
