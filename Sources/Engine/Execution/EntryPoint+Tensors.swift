/// What interfaces to other languages show: every tensor of the subgraph, by its number in the file.
extension EntryPoint {
  /// The subgraph's position in the file.
  package var subgraphIndex: Int { runner.subgraph.index }

  /// Whether the plan knows where all results will be, and of which shapes.
  package var hasFixedResults: Bool { runner.plan.hasFixedResults }

  /// Sets the subgraph's variables and random numbers back to how they were before the first run.
  package func resetState() { runner.resetState() }

  /// A tensor as it is at the moment.
  ///
  /// It has no bytes before they are planned, and neither has what the plan needs no memory for, or
  /// keeps in another order than the file's.
  package func tensor(at index: Int) -> TensorView {
    let memory = runner.memory
    var view = memory.view(index)
    view.shape = memory.fileShape(of: index) ?? view.shape
    if !runner.isPlanned || memory.subgraph.storedOrders[index] != nil {
      view.bytes = UnsafeMutableRawBufferPointer(start: nil, count: 0)
    }
    return view
  }
}
