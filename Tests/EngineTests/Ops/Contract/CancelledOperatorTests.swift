import OcellusEngine
import OcellusModelFile
import OcellusTestSupport
import Testing

/// Cancels a run right before an operator, after the last check that precedes its step.
private final class Canceller: RunObserver {
  private let cancellation: Cancellation
  private let operatorName: String

  init(_ cancellation: Cancellation, at operatorName: String) {
    (self.cancellation, self.operatorName) = (cancellation, operatorName)
  }

  func willRun(_ node: ObservedNode) {
    if node.operatorName == operatorName { cancellation.cancel() }
  }

  func didRun(_ node: ObservedNode) {}
}

extension Interpreter {
  /// Runs the model, and cancels the run right before an operator.
  fileprivate func run(cancelledAt operatorName: String) {
    observer = Canceller(cancellation, at: operatorName)
    defer {
      observer = nil
      cancellation.resume()
    }
    let error = #expect(throws: ModelError.self) { try run() }
    #expect(error?.kind == .cancelled)
  }
}

/// The work that operators skip when the run is cancelled, and the work that they must finish.
@Suite struct CancelledOperatorTests {
  private typealias Tensor = ModelWriter.Tensor
  private typealias Operator = ModelWriter.Operator

  /// More elements than are copied between two checks for cancellation.
  private static let longLength = 5 << 20

  /// A subgraph that assigns its input to a variable, and a subgraph that reads the variable.
  private static let variable: ModelWriter = {
    let handle = Operator(
      OperatorCodeRecord(named: "VAR_HANDLE"), inputs: [], outputs: [0],
      options: .init(tag: BuiltinOptionsTag.varHandle, [1: .string("v")]))
    let tensors = [Tensor("handle", .resource, []), Tensor("value", .float32, [longLength])]
    return ModelWriter(
      subgraphs: [
        .init(
          tensors: tensors, inputs: [1], outputs: [],
          operators: [
            handle,
            .init(OperatorCodeRecord(named: "ASSIGN_VARIABLE"), inputs: [0, 1], outputs: []),
          ]),
        .init(
          name: "read", tensors: tensors, inputs: [], outputs: [1],
          operators: [
            handle, .init(OperatorCodeRecord(named: "READ_VARIABLE"), inputs: [0], outputs: [1]),
          ]),
      ],
      signatures: [
        .init(
          key: "read", subgraphIndex: 1, inputs: [], outputs: [.init(name: "value", tensor: 1)])
      ])
  }()

  /// A variable outlives the run, so a cancelled assignment must not leave half of each value.
  @Test(arguments: [false, true])
  func variablesAreAssignedAsAWhole(usesReferenceKernels: Bool) throws {
    let interpreter = try Interpreter(
      Model(bytes: Self.variable.bytes()),
      options: .init(usesReferenceKernels: usesReferenceKernels))
    func assign(_ number: Float, _ run: () throws -> Void) throws {
      try interpreter.setInput(at: 0, to: [Float](repeating: number, count: Self.longLength))
      try run()
    }
    let reader = try interpreter.signature("read")
    try assign(1) { try interpreter.run() }
    try assign(2) { interpreter.run(cancelledAt: "ASSIGN_VARIABLE") }
    try reader.run()
    let value = try reader.output(at: 0, as: Float.self)
    #expect(value.count == Self.longLength)
    #expect(value.first == value.last)
    #expect(value.first == 1 || value.first == 2)
  }

  /// Filling a large result stops on cancellation even if each of its many gaps is small.
  @Test func gapsOfLargeResultsAreLeftOut() throws {
    let rowCount = 4096
    let model = ModelWriter.singleOperator(
      OperatorCodeRecord(named: "PADV2"),
      reading: [
        Tensor("x", .float32, [rowCount, 511]),
        Tensor("paddings", .int32, [2, 2], constant: [UInt8](bytesOf: [0, 0, 0, 1] as [Int32])),
        Tensor("value", .float32, []),
      ], writing: [Tensor("y", .float32, [])])
    let interpreter = try Interpreter(Model(bytes: model.bytes()))
    func fillingCount(of number: Float) throws -> Int {
      let values = try interpreter.output(at: 0, as: Float.self)
      return (0..<rowCount).count { values[$0 * 512 + 511] == number }
    }
    try interpreter.setInput(at: 1, to: [7] as [Float])
    try interpreter.run()
    #expect(try fillingCount(of: 7) == rowCount)
    try interpreter.setInput(at: 1, to: [9] as [Float])
    interpreter.run(cancelledAt: "PADV2")
    // The first gap may be filled before the first check.
    #expect(try fillingCount(of: 9) <= 1)
    try interpreter.run()
    #expect(try fillingCount(of: 9) == rowCount)
  }

  /// Expanding sparse weights stops on cancellation: the units whose weights are missing get wrong
  /// sums from the GEMM that follows.
  @Test func expandingWeightsIsLeftOut() throws {
    let (unitCount, depth) = (1000, 100)
    let rows = SparsityRecord(
      traversalOrder: [0, 1], blockMap: [],
      dimensions: [
        .init(format: .dense, denseSize: unitCount),
        .init(
          format: .sparseCSR, arraySegments: (0...unitCount).map { $0 * depth },
          arrayIndices: (0..<unitCount * depth).map { $0 % depth }),
      ])
    let ones = [UInt8](bytesOf: [Float](repeating: 1, count: unitCount * depth))
    let model = ModelWriter.singleOperator(
      OperatorCodeRecord(named: "FULLY_CONNECTED"),
      reading: [
        Tensor("x", .float32, [1, depth]),
        Tensor("w", .float32, [unitCount, depth], constant: ones, sparsity: rows),
      ], writing: [Tensor("y", .float32, [1, unitCount])],
      options: .init(tag: BuiltinOptionsTag.fullyConnected))
    let interpreter = try Interpreter(
      Model(bytes: model.bytes()), options: .init(usesReferenceKernels: true))
    try interpreter.setInput(at: 0, to: [Float](repeating: 2, count: depth))
    interpreter.run(cancelledAt: "FULLY_CONNECTED")
    let isWhole = try interpreter.output(at: 0, as: Float.self).map { $0 == Float(2 * depth) }
    #expect(isWhole.count { $0 } * depth < 1 << 15)
    try interpreter.run()
    #expect(
      try interpreter.output(at: 0, as: Float.self)
        == [Float](repeating: Float(2 * depth), count: unitCount))
  }
}
