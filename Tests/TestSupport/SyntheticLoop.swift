package import OcellusEngine
import OcellusModelFile

/// A model with a loop that repeats `x = x * factor + 1`.
package struct SyntheticLoop {
  package var rounds: Int32 = 5
  package var factor: Float = 0.5

  package init() {}

  package var bytes: [UInt8] {
    func state(_ suffix: String) -> [ModelWriter.Tensor] {
      [.init("i" + suffix, .int32, [1]), .init("x" + suffix, .float32, [1, 4])]
    }
    func constant<Number: BitwiseCopyable>(_ number: Number) -> [UInt8] {
      withUnsafeBytes(of: number) { Array($0) }
    }
    let main = ModelWriter.Subgraph(
      tensors: state("") + state(" out"), inputs: [0, 1], outputs: [2, 3],
      operators: [
        .init(
          OperatorCodeRecord(named: "WHILE"), inputs: [0, 1], outputs: [2, 3],
          options: .init(tag: BuiltinOptionsTag.while, [0: .int32(1), 1: .int32(2)]))
      ])
    let condition = ModelWriter.Subgraph(
      name: "condition",
      tensors: state("") + [
        .init("limit", .int32, [1], constant: constant(rounds)), .init("goes on", .bool, [1]),
      ], inputs: [0, 1], outputs: [3],
      operators: [
        .init(
          OperatorCodeRecord(named: "LESS"), inputs: [0, 2], outputs: [3],
          options: .init(tag: BuiltinOptionsTag.less))
      ])
    let body = ModelWriter.Subgraph(
      name: "body",
      tensors: state("") + state(" next") + [
        .init("one", .int32, [1], constant: constant(Int32(1))),
        .init("factor", .float32, [1], constant: constant(factor)),
        .init("shift", .float32, [1], constant: constant(Float(1))),
        .init("product", .float32, [1, 4]),
      ], inputs: [0, 1], outputs: [2, 3],
      operators: [
        .init(
          OperatorCodeRecord(named: "ADD"), inputs: [0, 4], outputs: [2],
          options: .init(tag: BuiltinOptionsTag.add)),
        .init(
          OperatorCodeRecord(named: "MUL"), inputs: [1, 5], outputs: [7],
          options: .init(tag: BuiltinOptionsTag.mul)),
        .init(
          OperatorCodeRecord(named: "ADD"), inputs: [7, 6], outputs: [3],
          options: .init(tag: BuiltinOptionsTag.add)),
      ])
    return ModelWriter(subgraphs: [main, condition, body]).bytes()
  }

  /// Returns an interpreter of the loop with the counter at zero and four numbers.
  package func interpreter() throws -> Interpreter {
    let interpreter = try Interpreter(
      Model(bytes: bytes), options: .init(runsNodesSeparately: true))
    try interpreter.setInput(at: 0, to: [0] as [Int32])
    try interpreter.setInput(at: 1, to: [1, -2, 3, 0.25] as [Float])
    return interpreter
  }
}
