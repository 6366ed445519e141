/// The accessors that interfaces to other languages need: every tensor of the subgraph, by its
/// index.
extension EntryPoint {
  /// The index of the subgraph in the file.
  package var subgraphIndex: Int { runner.subgraph.index }

  /// Whether the plan knows the shapes and addresses of all results.
  package var hasFixedResults: Bool { runner.plan.hasFixedResults }

  /// Resets the subgraph's variables and random numbers to their state before the first run.
  package func resetState() { runner.resetState() }

  /// Returns the current view of a tensor.
  ///
  /// The view has no bytes before the tensor is planned, if the plan needs no memory for it, or if
  /// the tensor is stored in another axis order than the file's.
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
