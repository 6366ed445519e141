import OcellusModelFile
import OcellusTestSupport

/// Calls that do not match the plan of their subgraph, and calls that nest too deeply.
extension HostileModel {
  static let calls: [HostileModel] = [
    .init(
      "callee with one input twice", "f04",
      composite(
        .init(name: "callee", tensors: [input([1])], inputs: [0, 0], outputs: [0], operators: []), 2
      )),
    .init(
      "callee whose input is a constant", "f03",
      composite(
        .init(
          name: "callee", tensors: [Tensor("c", .float32, [1], constant: [0, 0, 0, 0])],
          inputs: [0], outputs: [0], operators: []), 1)),
    .init(
      "callee whose input is a variable", "n01",
      composite(
        .init(
          name: "callee", tensors: [Tensor("v", .float32, [1], isVariable: true)],
          inputs: [0], outputs: [0], operators: []), 1)),
    .init(
      "callee whose result is of another type than it declares", "f05",
      composite(
        .init(
          name: "callee", tensors: [input([1]), output()], inputs: [0], outputs: [1],
          operators: [.init(code("EQUAL"), inputs: [0, 0], outputs: [1])]), 1)),
    .init("calls a thousand levels deep", "f08", chainOfCalls(of: 1000)),
    .init("fifty levels of two calls each", "f09", chainOfCalls(of: 50, callsEach: 2)),
    .init(
      "input that is a constant", "n02",
      {
        var writer = model("NEG", [input([1])], [output()])
        writer.subgraphs[0].tensors[0].constant = [0, 0, 128, 63]
        return writer
      }()),
  ]

  /// A call of `callee` that passes the model's only input for all of its inputs.
  private static func composite(_ callee: ModelWriter.Subgraph, _ inputCount: Int) -> ModelWriter {
    var writer = model("STABLEHLO_COMPOSITE", [input([1])], [output()])
    writer.subgraphs[0].operators[0] = call(of: 1, inputCount: inputCount)
    writer.subgraphs.append(callee)
    return writer
  }

  private static func call(of subgraph: Int, inputCount: Int) -> ModelWriter.Operator {
    .init(
      code("STABLEHLO_COMPOSITE"), inputs: Array(repeating: 0, count: inputCount), outputs: [1],
      options2: .init(
        tag: BuiltinOptions2Tag.stablehloComposite, [1: .int32(Int32(subgraph))]))
  }

  /// A chain of subgraphs, each of which calls the next one `callsEach` times.
  private static func chainOfCalls(of count: Int, callsEach: Int = 1) -> ModelWriter {
    var subgraphs = (0..<count).map { level -> ModelWriter.Subgraph in
      let tensors = [input([1])] + (0..<callsEach).map { _ in output() }
      let operators = (0..<callsEach).map { position -> ModelWriter.Operator in
        var call = call(of: level + 1, inputCount: 1)
        call.inputs = [position]
        call.outputs = [position + 1]
        return call
      }
      return .init(tensors: tensors, inputs: [0], outputs: [callsEach], operators: operators)
    }
    subgraphs.append(.init(tensors: [input([1])], inputs: [0], outputs: [0], operators: []))
    return ModelWriter(subgraphs: subgraphs)
  }
}
