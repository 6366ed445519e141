/// What is done for every tile of a loop that threads share.
///
/// Made with the plan, so that a run makes nothing: a closure that comes into being while a step
/// runs reaches other threads only in memory from the heap. What a run adds is the `State`.
package struct TileLoop<State>: Sendable {
  private let body: @Sendable (State, _ tile: Int) -> Void
  let work: TileWork

  package init(_ body: @escaping @Sendable (State, _ tile: Int) -> Void) {
    self.body = body
    work = TileWork { state, tile in
      body(state.assumingMemoryBound(to: State.self).pointee, tile)
    }
  }

  /// Does all tiles on this thread.
  func runAll(_ tileCount: Int, with state: State) {
    for tile in 0..<tileCount { body(state, tile) }
  }
}

/// A loop over tiles as threads see it: whatever its state, which stays where it is.
///
/// Unchecked: the state is written only while no tile is left.
final class TileWork: @unchecked Sendable {
  private let body: @Sendable (_ state: UnsafeRawPointer, _ tile: Int) -> Void
  private var state: UnsafeRawPointer?

  init(_ body: @escaping @Sendable (_ state: UnsafeRawPointer, _ tile: Int) -> Void) {
    self.body = body
  }

  /// Calls `share`, which runs tiles on any thread, while the state is known.
  func with(_ state: UnsafeRawPointer, _ share: (TileWork) -> Void) {
    self.state = state
    share(self)
    self.state = nil
  }

  /// Does one tile.
  func run(_ tile: Int) {
    if let state { body(state, tile) }
  }
}
