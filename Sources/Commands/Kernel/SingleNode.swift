import OcellusAudit
import OcellusEngine
import OcellusModelFile

/// A node as a model of its own, with its inputs.
struct SingleNode {
  /// The name for messages.
  let title: String
  let operatorName: String
  /// The model's file.
  let file: [UInt8]
  /// The inputs.
  let inputs: [StoredTensor]
  /// The results in the original model, if the node is from one.
  let results: [CapturedNode.Tensor]
  /// Whether the original model requires floats that are bit-exact with the official kernels.
  let isExact: Bool

  /// The reason why a node cannot be extracted.
  struct Refusal: Error, CustomStringConvertible {
    let description: String
  }

  /// Extracts a node from its model.
  ///
  /// - Throws: `Refusal` if the results depend on more than the operands.
  init(_ node: CapturedNode, of model: Model) throws {
    if let handle = node.operands.first(where: { [.resource, .variant].contains($0.type) }) {
      throw Refusal(
        description: "'\(handle.name)' is a handle to a variable or table of other nodes")
    }
    if let state = node.operands.first(where: \.isVariable),
      state.bytes?.contains(where: { $0 != 0 })
        == true
    {
      throw Refusal(description: "'\(state.name)' is a variable that has been set already")
    }
    var known: [Int: ModelWriter.KnownTensor] = [:]
    for tensor in node.operands + node.results {
      known[tensor.index] = .init(
        shape: tensor.shape.dimensions, type: TensorType(named: tensor.type.name),
        constant: tensor.isKnown ? tensor.bytes : nil)
    }
    for result in node.results {
      known[result.index] = .init(
        shape: result.shape.dimensions, type: TensorType(named: result.type.name))
    }
    title = node.title
    operatorName = node.operatorName
    file = try ModelWriter.extracting(
      operator: node.index, ofSubgraph: node.subgraph, from: model.file, knowing: known)
    // The inputs of the extracted model are in the order in which the node first names them.
    inputs = try node.operands.filter { !$0.isKnown && !$0.isVariable }.map { operand in
      guard let bytes = operand.bytes else {
        throw Refusal(description: "'\(operand.name)' is nowhere in memory")
      }
      return StoredTensor(type: operand.type, shape: operand.shape, bytes: bytes)
    }
    results = node.results
    isExact = model.graph.roundsFloats
  }

  /// Makes a node from a model file, with generated inputs.
  init(title: String, operatorName: String, file: [UInt8]) throws {
    self.title = title
    self.operatorName = operatorName
    self.file = file
    let main = try Interpreter(Model(bytes: file)).main
    inputs = main.inputs.enumerated().map { index, input in
      var stream = InputGenerator(input: index)
      return StoredTensor(
        type: input.type, shape: input.shape,
        bytes: stream.bytes(of: input.type, count: input.shape.elementCount))
    }
    results = []
    isExact = false
  }

  /// Returns options with which the node computes the same as in its model.
  func options(_ options: Interpreter.Options) -> Interpreter.Options {
    var options = options
    if isExact { options.numerics = .exact }
    return options
  }

  /// Makes an interpreter of the node, with its inputs set.
  func interpreter(_ options: Interpreter.Options) throws -> Interpreter {
    let interpreter = try Interpreter(Model(bytes: file), options: self.options(options))
    guard interpreter.inputs.count == inputs.count else {
      throw Refusal(
        description: "it takes \(interpreter.inputs.count) operands by itself, not \(inputs.count)")
    }
    for (index, tensor) in inputs.enumerated() {
      try interpreter.main.setInput(at: index, to: tensor)
    }
    return interpreter
  }

  /// Describes the first result whose bits differ from the original model, or returns `nil`.
  func difference(_ options: Interpreter.Options) throws -> String? {
    let interpreter = try interpreter(options)
    try interpreter.run()
    for (index, result) in results.enumerated() where result.type != .resource {
      guard let wanted = result.bytes else { continue }
      let isSame = try interpreter.main.withOutputBytes(at: index) { result in
        wanted.withUnsafeBytes { result.hasSameBytes(as: $0) }
      }
      if !isSame { return "'\(result.name)' comes out different" }
    }
    return nil
  }
}
