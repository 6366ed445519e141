import OcellusEngine
import OcellusModelFile
import OcellusPlatform

/// Draws graphs that the engine can plan, one operator after the other.
///
/// The extents of results are those of the plan, so that nothing here repeats the rules of shapes.
struct GraphDrawer {
  private static let largestElementCount = 1 << 14

  private var operators: OperatorDrawer
  private var graph: ModelWriter.Subgraph
  private var sources: [OperatorDrawer.Source]

  init(seed: UInt64) {
    operators = OperatorDrawer(random: SplitMix64(seed: seed))
    let shape = [
      operators.number(1...2), operators.number(1...12), operators.number(1...12),
      operators.number(1...12),
    ]
    graph = ModelWriter.Subgraph(
      tensors: [.init("x", .float32, shape)], inputs: [0], outputs: [], operators: [])
    sources = [.init(tensor: 0, shape: shape)]
  }

  /// Returns a model with this number of nodes, or fewer if operators do not fit.
  mutating func model(nodeCount: Int) -> ModelWriter {
    for _ in 0..<4 * nodeCount where graph.operators.count < nodeCount {
      if let operation = operators.next(sources) { add(operation) }
    }
    // Every result is one of the model's, so that any engine shows it.
    graph.outputs = graph.operators.flatMap(\.outputs)
    return ModelWriter(subgraphs: [graph])
  }

  /// Adds an operator if the graph can be planned with it.
  private mutating func add(_ operation: DrawnOperator) {
    var candidate = graph
    let inputs = operation.operands.map { Self.tensor($0, in: &candidate) }
    let output = candidate.tensors.count
    candidate.tensors.append(.init("r\(graph.operators.count)", .float32, []))
    guard let code = BuiltinOperator.code(named: operation.name) else { return }
    candidate.operators.append(
      .init(
        OperatorCodeRecord(builtinCode: code, version: 1), inputs: inputs, outputs: [output],
        options: operation.options))
    candidate.outputs = [output]
    guard let shape = Self.shape(ofOutput: candidate), !shape.isEmpty,
      shape.allSatisfy({ $0 > 0 }), shape.reduce(1, *) <= Self.largestElementCount
    else { return }
    candidate.tensors[output].shape = shape
    graph = candidate
    sources.append(.init(tensor: output, shape: shape))
  }

  private static func tensor(
    _ operand: DrawnOperator.Operand, in graph: inout ModelWriter.Subgraph
  ) -> Int {
    let name = "c\(graph.tensors.count)"
    switch operand {
    case .tensor(let index): return index
    case .floats(let numbers, let shape):
      graph.tensors.append(
        .init(name, .float32, shape, constant: numbers.withUnsafeBytes { Array($0) }))
    case .integers(let numbers, let shape):
      graph.tensors.append(
        .init(name, .int32, shape, constant: numbers.withUnsafeBytes { Array($0) }))
    }
    return graph.tensors.count - 1
  }

  private static func shape(ofOutput graph: ModelWriter.Subgraph) -> [Int]? {
    let bytes = ModelWriter(subgraphs: [graph]).bytes()
    guard let model = try? Model(bytes: bytes), let interpreter = try? Interpreter(model),
      (try? interpreter.allocate()) != nil
    else { return nil }
    return interpreter.outputs[0].shape.dimensions
  }
}
