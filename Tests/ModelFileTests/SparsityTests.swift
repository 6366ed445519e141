import OcellusModelFile
import Testing

@Suite struct SparsityTests {
  /// [[0, 3], [0, 0], [4, 0]] in compressed rows.
  static let rows = SparsityRecord(
    traversalOrder: [0, 1], blockMap: [],
    dimensions: [
      .init(format: .dense, denseSize: 3),
      .init(format: .sparseCSR, arraySegments: [0, 1, 1, 2], arrayIndices: [1, 0]),
    ])

  /// A 4 by 8 matrix in blocks of 1 by 4, three of which are stored.
  static let blocks = SparsityRecord(
    traversalOrder: [0, 1, 2], blockMap: [1],
    dimensions: [
      .init(format: .dense, denseSize: 4),
      .init(format: .sparseCSR, arraySegments: [0, 1, 1, 3, 3], arrayIndices: [1, 0, 1]),
      .init(format: .dense, denseSize: 4),
    ])

  @Test func storedElementsAreCounted() throws {
    #expect(try Self.rows.storedElementCount(shape: [3, 2]) == 2)
    #expect(try Self.blocks.storedElementCount(shape: [4, 8]) == 12)
  }

  struct Fault: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var commit: @Sendable (inout SparsityRecord) -> Void
  }

  static let faults = [
    Fault(testDescription: "dimension visited twice") { $0.traversalOrder = [0, 0, 2] },
    Fault(testDescription: "block visited among dimensions") { $0.traversalOrder = [0, 2, 1] },
    Fault(testDescription: "too few levels") { $0.dimensions.removeLast() },
    Fault(testDescription: "block of no dimension") { $0.blockMap = [2] },
    Fault(testDescription: "blocks of nothing") { $0.dimensions[2].denseSize = 0 },
    Fault(testDescription: "blocks that do not divide") { $0.dimensions[2].denseSize = 3 },
    Fault(testDescription: "sparse block") { $0.dimensions[2].format = .sparseCSR },
    Fault(testDescription: "dense size") { $0.dimensions[0].denseSize = 5 },
    Fault(testDescription: "index beyond its size") { $0.dimensions[1].arrayIndices[0] = 2 },
    Fault(testDescription: "negative index") { $0.dimensions[1].arrayIndices[0] = -1 },
    Fault(testDescription: "descending segments") {
      $0.dimensions[1].arraySegments = [0, 2, 1, 3, 3]
    },
    Fault(testDescription: "segments for other rows") {
      $0.dimensions[1].arraySegments = [0, 1, 3]
    },
    Fault(testDescription: "segments beyond the indices") {
      $0.dimensions[1].arraySegments[4] = 4
    },
    Fault(testDescription: "no segments") { $0.dimensions[1].arraySegments = [] },
  ]

  @Test(arguments: faults)
  func contradictionsAreFound(_ fault: Fault) {
    var sparsity = Self.blocks
    fault.commit(&sparsity)
    #expect(throws: ModelFileError.self) { try sparsity.storedElementCount(shape: [4, 8]) }
  }

  /// Two blocks name the dimensions that they divide in ascending order.
  @Test(arguments: [([0, 1], [2, 2, 2, 4]), ([1, 0], [2, 2, 4, 2])])
  func blocksAreInOrder(_ map: [Int], sizes: [Int]) throws {
    let sparsity = SparsityRecord(
      traversalOrder: [0, 1, 2, 3], blockMap: map,
      dimensions: sizes.map { .init(format: .dense, denseSize: $0) })
    let count = try? sparsity.storedElementCount(shape: [4, 8])
    #expect(count == (map == [0, 1] ? 32 : nil))
  }

  @Test func moreElementsThanNumbersAreRefused() {
    let extents = [Int.max / 2, 4]
    let sparsity = SparsityRecord(
      traversalOrder: [0, 1], blockMap: [],
      dimensions: extents.map { .init(format: .dense, denseSize: $0) })
    #expect(throws: ModelFileError.self) { try sparsity.storedElementCount(shape: extents) }
  }
}
