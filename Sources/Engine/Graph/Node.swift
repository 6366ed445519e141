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
}
