import OcellusAudit
import OcellusModelFile
import OcellusTestSupport
import Testing

/// What differs between two files is found without running them, and nothing else is reported.
@Suite struct ModelComparisonTests {
  private let chain = SyntheticChain()

  private func comparison(_ first: ModelWriter, _ second: ModelWriter) throws -> ModelComparison {
    try ModelComparison(first.file(), second.file())
  }

  /// Returns the only difference of a file from the chain.
  private func difference(_ change: (inout ModelWriter) -> Void) throws -> ModelDifference {
    var changed = chain.writer
    change(&changed)
    let comparison = try comparison(chain.writer, changed)
    #expect(comparison.hasSameGraphs && !comparison.isSame)
    #expect(comparison.differences.count == 1, "\(comparison.differences)")
    return try #require(comparison.differences.first)
  }

  @Test func equalFilesAreTheSame() throws {
    let same = try comparison(chain.writer, chain.writer)
    #expect(same.isSame && same.constantCount == SyntheticChain.nodeCount)
    var renamed = chain.writer
    renamed.description = "another"
    for index in renamed.subgraphs[0].tensors.indices {
      renamed.subgraphs[0].tensors[index].name = "t\(index)"
    }
    #expect(try comparison(chain.writer, renamed).isSame)
  }

  /// One inverted bit in any of sixty constants is attributed to it, with the difference in numbers.
  @Test func changedBitsAreLocated() throws {
    for node in 0..<SyntheticChain.nodeCount {
      let tensor = 1 + 2 * node
      let difference = try difference { $0 = chain.changingWeight(of: node).writer }
      #expect(difference.aspect == .constant && difference.place.firstTensor == tensor)
      #expect(difference.place.firstNode == node && difference.place.secondNode == node)
      #expect(difference.place.tensorName == "weights \(node)")
      let elements = try #require(difference.elements)
      let numbers = [chain, chain.changingWeight(of: node)].map { chain in
        (chain.writer.subgraphs[0].tensors[tensor].constant ?? []).withUnsafeBytes {
          Array($0.bindMemory(to: Float.self))
        }
      }
      #expect(elements.elementCount == numbers[0].count && elements.differentCount == 1)
      #expect(elements.firstDifferent == 0)
      #expect(elements.maximum == abs(Double(numbers[0][0]) - Double(numbers[1][0])))
    }
  }

  /// A file may have tens of thousands of subgraphs: each is looked at once.
  @Test(.timeLimit(.minutes(1))) func manySubgraphsTakeLinearTime() throws {
    var many = chain.writer
    many.subgraphs += Array(
      repeating: .init(tensors: [], inputs: [], outputs: [], operators: []), count: 50_000)
    #expect(try comparison(many, many).isSame)
  }

  @Test func changedOptionsAreNamed() throws {
    let difference = try difference { $0 = chain.changingOption(of: 31).writer }
    #expect(difference.aspect == .options && difference.place.firstNode == 31)
    #expect(difference.first == "fused_activation_function 0")
    #expect(difference.second == "fused_activation_function 1")
  }

  @Test func everyPropertyOfATensorCounts() throws {
    typealias Change = (inout ModelWriter.Tensor) -> Void
    let changes: [(ModelDifference.Aspect, first: String, second: String, Change)] = [
      (.type, "float32", "int32", { $0.type = .int32 }),
      (.shape, "[1, 12]", "[12, 1]", { $0.shape = [12, 1] }),
      (
        .shape, "[1, 12]", "[1, 12], signature [-1, 12]", { $0.shapeSignature = [-1, 12] }
      ),
      (
        .quantization, "none", "scale 0.5, zero point 3",
        { $0.quantization = .init(scales: [0.5], zeroPoints: [3]) }
      ),
    ]
    for (aspect, first, second, change) in changes {
      let difference = try difference { change(&$0.subgraphs[0].tensors[20]) }
      #expect(difference.aspect == aspect && difference.place.firstTensor == 20)
      #expect(difference.first == first && difference.second == second)
    }
    #expect(try difference { $0.subgraphs[0].operators[4].code.version = 2 }.aspect == .version)
    #expect(try difference { $0.subgraphs[0].outputs = [5] }.aspect == .graph)
    #expect(
      try difference {
        $0.signatures = [.init(key: "a", subgraphIndex: 0, inputs: [], outputs: [])]
      }.aspect == .graph)
  }

  /// Of many scales, the first that differs is reported; what a scale changes is measured.
  @Test func scalesOfChannelsAreCompared() throws {
    func model(_ scales: [Float]) -> ModelWriter {
      .singleOperator(
        OperatorCodeRecord(named: "DEQUANTIZE"),
        reading: [
          .init(
            "w", .int8, [2, 3], constant: [1, 2, 3, 4, 5, 6],
            quantization: .init(scales: scales, zeroPoints: [0, 0, 0], axis: 1))
        ], writing: [.init("out", .float32, [2, 3])])
    }
    let differences = try comparison(model([1, 1, 1]), model([1, 1, 1.5])).differences
    let scale = try #require(differences.first { $0.aspect == .quantization })
    #expect(scale.second == "slice 2 of 3: scale 1.5, zero point 0")
    // 3 and 6 have become 4.5 and 9: the noise is 1.5² + 3², the signal 1 + 4 + … + 36.
    let elements = try #require(differences.first { $0.aspect == .constant }?.elements)
    #expect(elements.differentCount == 2 && elements.maximum == 3)
    #expect(abs(elements.signalToNoise - 9.0789) < 1e-3)
    // A scale that is no number differs from no copy of itself.
    #expect(try comparison(model([1, .nan, 1]), model([1, .nan, 1])).isSame)
  }

  /// Elements smaller than a byte are counted one by one.
  @Test func packedElementsAreCounted() throws {
    func model(_ bytes: [UInt8]) -> ModelWriter {
      .singleOperator(
        OperatorCodeRecord(named: "DEQUANTIZE"),
        reading: [
          .init(
            "w", .int4, [5], constant: bytes,
            quantization: .init(scales: [0.5], zeroPoints: [0]))
        ], writing: [.init("out", .float32, [5])])
    }
    // The fourth element is -1 instead of 1; the unused upper half of the last byte is no element.
    let differences = try comparison(model([0x21, 0x10, 0x03]), model([0x21, 0xF0, 0xF3]))
      .differences
    let elements = try #require(differences.first?.elements)
    #expect(elements.elementCount == 5 && elements.differentCount == 1)
    #expect(elements.firstDifferent == 3 && elements.maximum == 1)
  }

  /// Constants of graphs that no input reaches, and of no node, count too.
  @Test func nothingHasToBeReached() throws {
    var model = chain.writer
    model.subgraphs.append(chain.changingOption(of: 3).writer.subgraphs[0])
    model.subgraphs[0].tensors.append(.init("unused", .uint8, [4], constant: [1, 2, 3, 4]))
    var changed = model
    changed.subgraphs[1].tensors[7].constant?[5] ^= 1
    changed.subgraphs[0].tensors[changed.subgraphs[0].tensors.count - 1].constant = [1, 2, 3, 7]
    let differences = try comparison(model, changed).differences
    #expect(differences.map(\.place.subgraph) == [0, 1])
    #expect(differences[0].place.firstNode == nil && differences[0].elements?.maximum == 3)
    #expect(differences[1].place.firstNode == 3 && differences[1].place.firstTensor == 7)
  }

  /// After a node is inserted, the others are compared with their counterparts.
  @Test func otherGraphsAreAligned() throws {
    var longer = chain.changingWeight(of: 50).writer
    let weights = longer.subgraphs[0].tensors.count
    longer.subgraphs[0].tensors += [
      .init("more", .float32, [1, 12], constant: .init(bytesOf: [Float](repeating: 1, count: 12))),
      .init("inserted", .float32, [1, 12]),
    ]
    longer.subgraphs[0].operators.insert(
      .init(
        OperatorCodeRecord(named: "SUB"), inputs: [2, weights], outputs: [weights + 1],
        options: .init(tag: BuiltinOptionsTag.sub)), at: 1)
    longer.subgraphs[0].operators[2].inputs[0] = weights + 1
    let comparison = try comparison(chain.writer, longer)
    #expect(!comparison.hasSameGraphs && comparison.constantCount == SyntheticChain.nodeCount)
    let constants = comparison.differences.filter { $0.aspect == .constant }
    #expect(constants.map(\.place.firstNode) == [50] && constants[0].place.secondNode == 51)
    let nodes = comparison.differences.filter { $0.aspect == .node }
    #expect(nodes.map(\.place.secondNode) == [1] && nodes.map(\.second) == ["SUB"])
    #expect(comparison.differences.count == 2, "\(comparison.differences)")
  }

  @Test func modelsWithNothingInCommonAreDifferent() throws {
    let other = ModelWriter.singleOperator(
      OperatorCodeRecord(named: "RELU"), reading: [.init("x", .float32, [1])],
      writing: [.init("y", .float32, [1])])
    let comparison = try comparison(chain.writer, other)
    #expect(!comparison.isSame && comparison.constantCount == 0)
    #expect(comparison.differences.count { $0.aspect == .node } == SyntheticChain.nodeCount + 1)
  }
}
