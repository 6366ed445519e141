import OcellusKernelABI

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
  /// The processor whose micro-kernels of XNNPACK give the node its bits; `nil` if LiteRT does not
  /// delegate it.
  let delegateProcessor: LiteRTProcessor?

  private init(
    spec: NodeSpec, operation: any Operator, inputs: [Int], outputs: [Int], fileInputs: [Int],
    delegateProcessor: LiteRTProcessor?
  ) {
    self.spec = spec
    self.operation = operation
    self.inputs = inputs
    self.outputs = outputs
    self.fileInputs = fileInputs
    self.delegateProcessor = delegateProcessor
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
      fileInputs: inputs, delegateProcessor: nil)
  }

  /// Makes a node of the file with another operation or other tensors.
  convenience init(_ node: Node, operation: any Operator, inputs: [Int], outputs: [Int]) {
    self.init(
      spec: node.spec, operation: operation, inputs: inputs, outputs: outputs,
      fileInputs: node.fileInputs, delegateProcessor: node.delegateProcessor)
  }

  /// Makes a node of the file whose operation XNNPACK computes on a processor.
  convenience init(
    delegating node: Node, to processor: LiteRTProcessor, operation: any Operator
  ) {
    self.init(
      spec: node.spec, operation: operation, inputs: node.inputs, outputs: node.outputs,
      fileInputs: node.fileInputs, delegateProcessor: processor)
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

  /// Whether the node is computed with the bits of LiteRT's delegate XNNPACK.
  var isDelegated: Bool { delegateProcessor != nil }
}
