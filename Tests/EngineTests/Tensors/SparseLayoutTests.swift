import OcellusEngine
import OcellusModelFile
import OcellusTestSupport
import Testing

@Suite struct SparseLayoutTests {
  private typealias Dimension = SparseDimensionRecord

  /// A 2 × 4 matrix in blocks of 1 × 2, where row 0 stores its second block and row 1 its first.
  private static let blocks = SparsityRecord(
    traversalOrder: [0, 1, 2], blockMap: [1],
    dimensions: [
      Dimension(format: .dense, denseSize: 2),
      Dimension(format: .sparseCSR, arraySegments: [0, 1, 2], arrayIndices: [1, 0]),
      Dimension(format: .dense, denseSize: 2),
    ])

  private func densify(_ sparsity: SparsityRecord, _ stored: [Float]) throws -> [Float] {
    let tensor = ModelWriter.Tensor(
      "x", .float32, [2, 4], constant: [UInt8](bytesOf: stored), sparsity: sparsity)
    let model = ModelWriter.singleOperator(
      OperatorCodeRecord(named: "DENSIFY"), reading: [tensor],
      writing: [.init("y", .float32, [2, 4])])
    let interpreter = try Interpreter(Model(bytes: model.bytes()))
    try interpreter.run()
    return try interpreter.output(at: 0)
  }

  @Test func blocksGoWhereTheirIndicesSay() throws {
    #expect(try densify(Self.blocks, [1, 2, 3, 4]) == [0, 0, 1, 2, 3, 4, 0, 0])
  }

  @Test func columnsMayComeFirst() throws {
    let byColumns = SparsityRecord(
      traversalOrder: [1, 0], blockMap: [],
      dimensions: [
        Dimension(format: .dense, denseSize: 4),
        Dimension(format: .sparseCSR, arraySegments: [0, 1, 1, 1, 2], arrayIndices: [1, 0]),
      ])
    #expect(try densify(byColumns, [5, 6]) == [0, 0, 0, 6, 5, 0, 0, 0])
  }

  /// A layout is refused when any field could lead outside a list or the tensor.
  @Test(
    arguments: [
      { $0.dimensions[1].arrayIndices[0] = 2 },
      { $0.dimensions[1].arrayIndices[0] = -1 },
      { $0.dimensions[1].arraySegments = [0, 2, 1] },
      { $0.dimensions[1].arraySegments = [0, 2] },
      { $0.dimensions[0].denseSize = 3 },
      { $0.dimensions[2].denseSize = 3 },
      { $0.dimensions[2].denseSize = 0 },
      { $0.traversalOrder = [0, 0, 2] },
      { $0.traversalOrder = [0, 2, 1] },
      { $0.blockMap = [2] },
      { $0.dimensions.removeLast() },
    ] as [@Sendable (inout SparsityRecord) -> Void])
  func brokenLayoutsAreRefused(damage: @Sendable (inout SparsityRecord) -> Void) {
    var sparsity = Self.blocks
    damage(&sparsity)
    #expect(throws: ModelError.self) { try densify(sparsity, [1, 2, 3, 4]) }
  }

  @Test func missingElementsAreNoticed() {
    #expect(throws: ModelError.self) { try densify(Self.blocks, [1, 2, 3]) }
  }
}
