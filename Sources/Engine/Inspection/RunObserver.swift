/// Watches the steps of a run, such as a profile does; it sees them on the thread that runs.
///
/// Nodes that call subgraphs enclose the steps of these.
package protocol RunObserver: AnyObject {
  func willRun(_ step: ObservedStep)
  func didRun(_ step: ObservedStep)
}

/// A step of the plan, as observers see it.
package struct ObservedStep {
  let planned: PlannedNode
  let memory: TensorMemory

  package var node: NodeSpec { planned.node.spec }
  /// Who does its work.
  package var execution: PlanDescription.Execution { .init(planned) }
  package var multiplyAdds: Int { planned.multiplyAdds }
  /// The shapes of the results, as far as they are known.
  package var outputShapes: [Shape] { planned.node.outputs.compactMap { memory.fileShape(of: $0) } }
}

extension TensorMemory {
  /// The shape of a tensor, if it is known, with axes in the order of the file.
  func fileShape(of tensor: Int) -> Shape? {
    guard let shape = slots[tensor].shape, let order = subgraph.storedOrders[tensor],
      order.rank == shape.rank
    else { return slots[tensor].shape }
    return Shape(order.inverse.stored(shape.dimensions))
  }
}

extension Interpreter {
  /// Who watches the runs; without an observer a step pays one comparison.
  package var observer: (any RunObserver)? {
    get { session.observer }
    set { session.observer = newValue }
  }
}
