/// One operation of a graph, decoded and ready to be planned.
package final class Node: Sendable {
  package let spec: NodeSpec
  package let operation: any Operator
  /// The tensor indices of the operands; -1 for an operand that is left out.
  package let inputs: [Int]
  package let outputs: [Int]
  /// The operands' indices in unmanaged memory, which steps read without retaining an array.
  nonisolated(unsafe) let inputTable: UnsafePointer<Int>
  nonisolated(unsafe) let outputTable: UnsafePointer<Int>
  /// The operands as in the file, even where passes have given the node others.
  let fileInputs: [Int]
  /// Whether LiteRT's numerics are those of its delegate XNNPACK here.
  let isDelegated: Bool

  private init(
    spec: NodeSpec, operation: any Operator, inputs: [Int], outputs: [Int], fileInputs: [Int],
    isDelegated: Bool
  ) {
    self.spec = spec
    self.operation = operation
    self.inputs = inputs
    self.outputs = outputs
    self.fileInputs = fileInputs
    self.isDelegated = isDelegated
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
      fileInputs: inputs, isDelegated: false)
  }

  /// Makes a node of the file with another operation or other tensors.
  convenience init(_ node: Node, operation: any Operator, inputs: [Int], outputs: [Int]) {
    self.init(
      spec: node.spec, operation: operation, inputs: inputs, outputs: outputs,
      fileInputs: node.fileInputs, isDelegated: node.isDelegated)
  }

  /// Makes a node of the file whose operation XNNPACK computes.
  convenience init(delegating node: Node, operation: any Operator) {
    self.init(
      spec: node.spec, operation: operation, inputs: node.inputs, outputs: node.outputs,
      fileInputs: node.fileInputs, isDelegated: true)
  }

  /// Makes a node that also does the work of `source`, the node that computes one of its operands.
  ///
  /// The first operand of `source` replaces that operand; the remaining operands of `source` come
  /// last.
  convenience init(_ node: Node, fusing source: Node, at operand: Int) {
    var operands = node.inputs
    operands[operand] = source.inputs[0]
    self.init(
      node, operation: node.operation, inputs: operands + source.inputs.dropFirst(),
      outputs: node.outputs)
  }

  deinit { inputTable.deallocate() }
}
