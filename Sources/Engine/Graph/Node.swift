/// One operation of a graph, decoded and ready to be planned.
package final class Node: Sendable {
  package let spec: NodeSpec
  package let operation: any Operator
  /// Tensor indices of the operands; -1 stands for one that is left out.
  package let inputs: [Int]
  package let outputs: [Int]
  /// The same indices where a step can read them without holding on to an array.
  nonisolated(unsafe) let inputTable: UnsafePointer<Int>
  nonisolated(unsafe) let outputTable: UnsafePointer<Int>
  /// The operands as the file has them, whatever the node reads when it runs.
  let fileInputs: [Int]

  private init(
    spec: NodeSpec, operation: any Operator, inputs: [Int], outputs: [Int], fileInputs: [Int]
  ) {
    self.spec = spec
    self.operation = operation
    self.inputs = inputs
    self.outputs = outputs
    self.fileInputs = fileInputs
    let table = UnsafeMutablePointer<Int>.allocate(capacity: inputs.count + outputs.count + 1)
    for (position, index) in inputs.enumerated() { table[position] = index }
    for (position, index) in outputs.enumerated() { table[inputs.count + position] = index }
    inputTable = UnsafePointer(table)
    outputTable = inputTable + inputs.count
  }

  convenience init(spec: NodeSpec, operation: any Operator) {
    let inputs = spec.inputs.map { $0?.index ?? -1 }
    self.init(
      spec: spec, operation: operation, inputs: inputs, outputs: spec.outputs.map(\.index),
      fileInputs: inputs)
  }

  /// A node of the file that runs otherwise, or on other tensors.
  convenience init(_ node: Node, operation: any Operator, inputs: [Int], outputs: [Int]) {
    self.init(
      spec: node.spec, operation: operation, inputs: inputs, outputs: outputs,
      fileInputs: node.fileInputs)
  }

  /// The node as it runs when it does the work of the one that makes an operand, `source`: with
  /// that one's first operand in place of its own, and the others behind.
  convenience init(_ node: Node, absorbing source: Node, at operand: Int) {
    var operands = node.inputs
    operands[operand] = source.inputs[0]
    self.init(
      node, operation: node.operation, inputs: operands + source.inputs.dropFirst(),
      outputs: node.outputs)
  }

  deinit { inputTable.deallocate() }
}
