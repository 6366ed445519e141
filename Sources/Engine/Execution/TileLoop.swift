/// What is done for every tile of a loop that threads share.
///
/// Made with the plan, so that a run makes nothing: a closure that comes into being while a step
/// runs reaches other threads only in memory from the heap. What a run adds is the `State`.
///
/// Unchecked: the state is written only while no tile is left.
package final class TileLoop<State>: TileWork, @unchecked Sendable {
  private let body: @Sendable (State, _ tile: Int) -> Void
  private var state: State?

  package init(_ body: @escaping @Sendable (State, _ tile: Int) -> Void) {
    self.body = body
    super.init()
  }

  func begin(with state: State) { self.state = state }
  func end() { state = nil }

  override func run(_ tile: Int) {
    if let state { body(state, tile) }
  }

  /// Does all tiles on this thread.
  func runAll(_ tileCount: Int, with state: State) {
    for tile in 0..<tileCount { body(state, tile) }
  }
}

/// A loop over tiles as threads see it: whatever its state.
package class TileWork: @unchecked Sendable {
  init() {}

  /// Does one tile.
  func run(_ tile: Int) {}
}
