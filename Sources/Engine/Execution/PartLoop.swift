/// What is done for every part of a loop that threads share.
///
/// Made with the plan, so that a run makes nothing: a closure that comes into being while a step
/// runs reaches other threads only in memory from the heap. What a run adds is the `State`.
package struct PartLoop<State>: Sendable {
  private let body: @Sendable (State, _ part: Int) -> Void
  let work: PartWork

  package init(_ body: @escaping @Sendable (State, _ part: Int) -> Void) {
    self.body = body
    work = PartWork { state, part in
      body(state.assumingMemoryBound(to: State.self).pointee, part)
    }
  }

  /// Does all parts on this thread, unless the run is stopped in between.
  func runAll(_ partCount: Int, with state: State, _ control: RunControl?) {
    for part in 0..<partCount where part == 0 || control?.isOver != true { body(state, part) }
  }
}

/// A loop over parts as threads see it: whatever its state, which stays where it is.
///
/// Unchecked: the state is written only while no part is left.
final class PartWork: @unchecked Sendable {
  private let body: @Sendable (_ state: UnsafeRawPointer, _ part: Int) -> Void
  private var state: UnsafeRawPointer?

  init(_ body: @escaping @Sendable (_ state: UnsafeRawPointer, _ part: Int) -> Void) {
    self.body = body
  }

  /// Calls `share`, which runs parts on any thread, while the state is known.
  func with(_ state: UnsafeRawPointer, _ share: (PartWork) -> Void) {
    self.state = state
    share(self)
    self.state = nil
  }

  /// Does one part.
  func run(_ part: Int) {
    if let state { body(state, part) }
  }
}
