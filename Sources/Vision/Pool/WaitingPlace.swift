import Synchronization

/// The place of a call among those that wait for a pool, which it leaves once.
package final class WaitingPlace: Sendable {
  /// Whether the call's picture is large.
  let isLarge: Bool
  private let hasLeft = Atomic(false)

  init(isLarge: Bool) { self.isLarge = isLarge }

  /// Leaves the place; returns whether it was still taken.
  ///
  /// Only the queue that gave the place calls this.
  func leave() -> Bool { !hasLeft.exchange(true, ordering: .relaxed) }
}
