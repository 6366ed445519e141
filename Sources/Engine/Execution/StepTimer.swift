/// Adds up what the nodes of a model take in a run.
///
/// One look at the clock ends a node and begins the next one, so that no moment from the first node
/// to the last is nobody's, and watching costs as little as a clock can. A node that calls a subgraph
/// is charged with what the nodes in there leave. What it keeps is as large as the model, however
/// often a loop goes round.
package final class StepTimer {
  /// What a node has come to.
  package struct Total {
    package fileprivate(set) var nanoseconds = 0
    package fileprivate(set) var calls = 0
    fileprivate var isKnown = false
  }

  private let clock: () -> Int
  private let meet: (_ place: Int, _ node: ObservedNode) -> Void
  /// The nodes of all subgraphs that have run, one subgraph behind the other.
  package private(set) var totals: [Total] = []
  /// By subgraph: the place of its first node.
  private var starts: [Int?] = []
  /// The node at whose expense time passes.
  private var current: Int?
  private var hasBegun = false
  /// When the clock was last looked at.
  private var last = 0

  /// - Parameters:
  ///   - clock: Says what time it is, in nanoseconds.
  ///   - meet: Told of every node when it has run for the first time, with its place among the
  ///     totals; what that takes is charged to nobody.
  package init(
    clock: @escaping () -> Int, meet: @escaping (_ place: Int, _ node: ObservedNode) -> Void
  ) {
    self.clock = clock
    self.meet = meet
  }

  /// Begins a run.
  package func start() {
    for place in totals.indices { (totals[place].nanoseconds, totals[place].calls) = (0, 0) }
    current = nil
    hasBegun = false
  }

  // MARK: For the runner

  /// Begins a segment.
  ///
  /// - Returns: the place of the subgraph's first node, and the node that calls it.
  func enter(_ subgraph: Subgraph) -> (firstPlace: Int, caller: Int?) {
    // Behind the first segment of a run, what goes before the first node is its own: it is planned.
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

  /// Begins a node.
  func begin(_ place: Int) { current = place }

  /// Ends a node; where another one does its work (`isIdle`) the clock need not be asked.
  ///
  /// - Returns: whether it ran for the first time, and wants to be shown.
  func end(_ place: Int, isIdle: Bool) -> Bool {
    if !isIdle { charge(place) }
    totals[place].calls += 1
    return !totals[place].isKnown
  }

  /// Ends a segment.
  func leave(to caller: Int?) { current = caller }

  /// Shows a node that has run for the first time.
  func show(_ node: ObservedNode, at place: Int) {
    totals[place].isKnown = true
    meet(place, node)
    last = clock()
  }

  private func charge(_ place: Int) {
    let time = clock()
    totals[place].nanoseconds += time - last
    last = time
  }
}

extension Interpreter {
  /// What adds up the nodes' times; nothing is shown to an observer meanwhile.
  package var stepTimer: StepTimer? {
    get { session.stepTimer }
    set { session.stepTimer = newValue }
  }
}
