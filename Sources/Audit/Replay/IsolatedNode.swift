package import OcellusEngine
import OcellusModelFile

/// One node extracted into a model of its own, to be computed again from given operands.
package struct IsolatedNode {
  /// The required operands, by their indices in the original model, each once.
  package let operands: [Int]
  private let interpreter: Interpreter

  /// Extracts a node from its model.
  ///
  /// - Returns: `nil` if the result depends on more than the operands (variables, tables, random
  ///   numbers) or if the operator is a custom one of the program.
  package init?(
    _ index: Int, ofSubgraph subgraph: Int = 0, of model: Model, options: Interpreter.Options
  ) throws {
    guard let graph = model.graph.subgraphs[subgraph], graph.nodes.indices.contains(index),
      !graph.nodes[index].operation.traits.contains(.stateful)
    else { return nil }
    let record = model.file.subgraphs[subgraph]
    let node = record.operators[index]
    var seen: Set<Int> = []
    let own = (node.inputs + node.outputs).filter { $0 >= 0 && seen.insert($0).inserted }
    guard own.allSatisfy({ !record.tensors[$0].isVariable && record.tensors[$0].type != .resource })
    else { return nil }
    // The inputs of the extracted model are in the order in which the node first names them.
    operands = own.filter { node.inputs.contains($0) && record.tensors[$0].data == nil }
    let bytes = try ModelWriter.extracting(
      operator: index, ofSubgraph: subgraph, from: model.file)
    var options = options
    options.threads = 1
    options.runsNodesSeparately = true
    interpreter = try Interpreter(Model(bytes: bytes), options: options)
    guard interpreter.inputs.count == operands.count else { return nil }
  }

  /// Returns the results from these operands, given in the order of `operands`.
  package func results(of tensors: [StoredTensor]) throws -> [StoredTensor] {
    for (index, tensor) in tensors.enumerated()
    where interpreter.main.inputDescription(at: index).shape != tensor.shape {
      try interpreter.resizeInput(at: index, to: tensor.shape)
    }
    for (index, tensor) in tensors.enumerated() {
      let type = interpreter.main.inputDescription(at: index).type
      guard type == tensor.type else {
        throw AuditError("an operand is \(tensor.type.name) where the node takes \(type.name)")
      }
      try interpreter.main.setInput(at: index, bytes: tensor.bytes)
    }
    try interpreter.run()
    return try interpreter.outputs.enumerated().map { index, output in
      StoredTensor(
        type: output.type, shape: output.shape, quantization: output.quantization,
        bytes: try interpreter.main.withOutputBytes(at: index) { Array($0) })
    }
  }
}
