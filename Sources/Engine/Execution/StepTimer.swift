/// Adds up the time that each node of a model takes in a run.
///
/// One clock reading ends a node and begins the next, so every moment from the first node to the
/// last is charged to a node, and timing costs as little as possible. A node that calls a subgraph
/// is charged only with the time outside the subgraph's nodes. The memory used depends on the size
/// of the model, not on the number of iterations of a loop.
package final class StepTimer {
  /// The total time and calls of one node.
  package struct Total {
    package fileprivate(set) var nanoseconds = 0
    package fileprivate(set) var calls = 0
    fileprivate var isKnown = false
  }

  private let clock: () -> Int
  private let meet: (_ index: Int, _ node: ObservedNode) -> Void
  /// The nodes of all subgraphs that have run, one subgraph after the other.
  package private(set) var totals: [Total] = []
  /// For each subgraph, the index of its first node in `totals`.
  private var starts: [Int?] = []
  /// The node that is charged with the time that passes now.
  private var current: Int?
  private var hasBegun = false
  /// The time of the last clock reading.
  private var last = 0

  /// Makes a timer.
  ///
  /// - Parameters:
  ///   - clock: Returns the time in nanoseconds.
  ///   - meet: Called for every node after its first run, with its index in `totals`; no node is
  ///     charged with the time that this takes.
  package init(
    clock: @escaping () -> Int, meet: @escaping (_ index: Int, _ node: ObservedNode) -> Void
  ) {
    self.clock = clock
    self.meet = meet
  }

  /// Starts a run.
  package func start() {
    for index in totals.indices { (totals[index].nanoseconds, totals[index].calls) = (0, 0) }
    current = nil
    hasBegun = false
  }

  // MARK: For the runner

  /// Starts a segment.
  ///
  /// - Returns: the index of the subgraph's first node in `totals`, and the node that calls it.
  func enter(_ subgraph: Subgraph) -> (firstNode: Int, caller: Int?) {
    // After the first segment of a run, the time before its first node is charged: it is planning.
    if let current {
      charge(current)
    } else if !hasBegun {
      hasBegun = true
      last = clock()
    }
    while starts.count <= subgraph.index { starts.append(nil) }
    let first = starts[subgraph.index] ?? totals.count
    if starts[subgraph.index] == nil {
      starts[subgraph.index] = first
      totals += Array(repeating: Total(), count: subgraph.nodes.count)
    }
    return (first, current)
  }

  /// Starts a node.
  func begin(_ index: Int) { current = index }

  /// Ends a node; the clock is not read if another node does its work (`isIdle`).
  ///
  /// - Returns: whether it was the node's first run, so that `show` has to be called.
  func end(_ index: Int, isIdle: Bool) -> Bool {
    if !isIdle { charge(index) }
    totals[index].calls += 1
    return !totals[index].isKnown
  }

  /// Ends a segment.
  func leave(to caller: Int?) { current = caller }

  /// Reports a node after its first run.
  func show(_ node: ObservedNode, at index: Int) {
    totals[index].isKnown = true
    meet(index, node)
    last = clock()
  }

  private func charge(_ index: Int) {
    let time = clock()
    totals[index].nanoseconds += time - last
    last = time
  }
}

extension Interpreter {
  /// The timer that adds up the nodes' times; an observer is not called while it is set.
  package var stepTimer: StepTimer? {
    get { session.stepTimer }
    set { session.stepTimer = newValue }
  }
}
