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

  /// `fileInputs` are the operands as the file has them, if somebody knows.
  init(
    spec: NodeSpec, operation: any Operator, inputs: [Int], outputs: [Int],
    fileInputs: [Int]? = nil
  ) {
    self.spec = spec
    self.operation = operation
    self.inputs = inputs
    self.outputs = outputs
    self.fileInputs = fileInputs ?? Self.indexes(of: spec.inputs)
    let table = UnsafeMutablePointer<Int>.allocate(capacity: inputs.count + outputs.count + 1)
    for (position, index) in inputs.enumerated() { table[position] = index }
    for (position, index) in outputs.enumerated() { table[inputs.count + position] = index }
    inputTable = UnsafePointer(table)
    outputTable = inputTable + inputs.count
  }

  convenience init(spec: NodeSpec, operation: any Operator) {
    let inputs = Self.indexes(of: spec.inputs)
    self.init(
      spec: spec, operation: operation, inputs: inputs, outputs: spec.outputs.map(\.index),
      fileInputs: inputs)
  }

  private static func indexes(of operands: [TensorSpec?]) -> [Int] {
    operands.map { $0?.index ?? -1 }
  }

  /// The node as it runs when it does the work of the one that makes an operand, `source`: with
  /// that one's first operand in place of its own, and the others behind.
  convenience init(_ node: Node, absorbing source: Node, at operand: Int) {
    var operands = node.inputs
    operands[operand] = source.inputs[0]
    self.init(
      spec: node.spec, operation: node.operation, inputs: operands + source.inputs.dropFirst(),
      outputs: node.outputs, fileInputs: node.fileInputs)
  }

  deinit { inputTable.deallocate() }
}
