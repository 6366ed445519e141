/// An operator whose work is the same in whatever order axes lie in memory, if its operands and
/// results share it.
package protocol OrderIndifferent: Operator {
  /// The operands that share the order of the results; `nil` where a node's operands forbid other
  /// orders.
  ///
  /// What the others hold must mean the same in every order.
  func operandsInOrder(_ node: NodeSpec) -> [Int]?

  /// The same operator for tensors whose axes lie in memory in another order.
  func reordered(_ order: AxisOrder) -> any Operator
}

extension OrderIndifferent {
  package var orderIndifferent: (any OrderIndifferent)? { self }
  package func operandsInOrder(_ node: NodeSpec) -> [Int]? { Array(node.inputs.indices) }
  package func reordered(_ order: AxisOrder) -> any Operator { self }
}
