/// One operation of a graph, decoded and ready to be planned.
package final class Node: Sendable {
  package let spec: NodeSpec
  package let operation: any Operator
  /// Tensor indices of the operands; -1 stands for one that is left out.
  package let inputs: [Int]
  package let outputs: [Int]

  init(spec: NodeSpec, operation: any Operator) {
    self.spec = spec
    self.operation = operation
    inputs = spec.inputs.map { $0?.index ?? -1 }
    outputs = spec.outputs.map(\.index)
  }

  /// The node as it runs when it does the work of the one that makes an operand, `source`: with
  /// that one's first operand in place of its own, and the others behind.
  init(_ node: Node, absorbing source: Node, at operand: Int) {
    spec = node.spec
    operation = node.operation
    outputs = node.outputs
    var operands = node.inputs
    operands[operand] = source.inputs[0]
    inputs = operands + source.inputs.dropFirst()
  }
}
