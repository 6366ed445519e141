/// The body of a loop whose work items threads share.
///
/// It is made with the plan, so that a run allocates nothing: a closure that is created while a
/// step runs can reach other threads only through the heap. The values that differ from run to run
/// are in `State`.
package struct WorkItemLoop<State>: Sendable {
  private let body: @Sendable (State, _ item: Int) -> Void
  let work: ParallelLoop

  package init(_ body: @escaping @Sendable (State, _ item: Int) -> Void) {
    self.body = body
    work = ParallelLoop { state, item in
      body(state.assumingMemoryBound(to: State.self).pointee, item)
    }
  }

  /// Runs all work items on this thread, unless the run is stopped in between.
  func runAll(_ itemCount: Int, with state: State, _ control: RunControl?) {
    for item in 0..<itemCount where item == 0 || control?.isOver != true { body(state, item) }
  }
}

/// A parallel loop with its type of state erased; the state stays in the caller's memory.
///
/// Unchecked: the state is written only while no work item is left.
final class ParallelLoop: @unchecked Sendable {
  private let body: @Sendable (_ state: UnsafeRawPointer, _ item: Int) -> Void
  private var state: UnsafeRawPointer?

  init(_ body: @escaping @Sendable (_ state: UnsafeRawPointer, _ item: Int) -> Void) {
    self.body = body
  }

  /// Calls `share`, which may run work items on any thread, while the state is set.
  func with(_ state: UnsafeRawPointer, _ share: (ParallelLoop) -> Void) {
    self.state = state
    share(self)
    self.state = nil
  }

  /// Runs one work item.
  func run(_ item: Int) {
    if let state { body(state, item) }
  }
}
