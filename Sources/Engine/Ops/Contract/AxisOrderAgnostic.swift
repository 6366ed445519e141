/// An operator whose work does not depend on the order of axes in memory, if its operands and
/// results share that order.
package protocol AxisOrderAgnostic: Operator {
  /// Returns the operands that share the order of the results; `nil` where a node's operands forbid
  /// other orders.
  ///
  /// The values of all other operands must mean the same in every order.
  func operandsInOrder(_ node: NodeSpec) -> [Int]?

  /// Returns the operator for tensors whose axes have another order in memory.
  func reordered(_ order: AxisOrder) -> any Operator
}

extension AxisOrderAgnostic {
  package var axisOrderAgnostic: (any AxisOrderAgnostic)? { self }
  package func operandsInOrder(_ node: NodeSpec) -> [Int]? { Array(node.inputs.indices) }
  package func reordered(_ order: AxisOrder) -> any Operator { self }
}
