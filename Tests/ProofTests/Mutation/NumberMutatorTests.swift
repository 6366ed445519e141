import OcellusModelFile
import OcellusPlatform
import OcellusProof
import OcellusTestSupport
import Testing

@Suite struct NumberMutatorTests {
  /// A model of one node with options, a quantized tensor and a constant.
  private static let model = ModelWriter.singleOperator(
    OperatorCodeRecord(builtinCode: 98),
    reading: [
      .init("x", .int8, [2, 3], quantization: .init(scales: [0.5], zeroPoints: [3])),
      .init("w", .int32, [2], constant: [1, 0, 0, 0, 2, 0, 0, 0]),
    ],
    writing: [.init("y", .int8, [2, 3])],
    options: .init(tag: BuiltinOptionsTag.leakyRelu, [0: .float(0.5)])
  ).bytes()

  private func mutator(seed: UInt64 = 1) throws -> NumberMutator {
    try #require(NumberMutator(original: Self.model, seed: seed, fileName: "model.tflite"))
  }

  @Test func everyChangeIsMadeOnce() throws {
    let mutator = try mutator()
    #expect(mutator.count > 2000)
    #expect(Self.changes.count == mutator.count)
  }

  private static let changes: Set<String> = {
    let mutator = NumberMutator(original: model, seed: 1, fileName: "model.tflite")
    return Set((0..<(mutator?.count ?? 0)).compactMap { mutator?.change(ofMutant: $0) })
  }()

  /// Changes with which a reviewer found crashes, and changes of fields that the file omits.
  @Test(arguments: [
    "subgraphs[0].operators[0].builtin_options.alpha = float(nan)",
    "subgraphs[0].tensors[0].quantization.zero_point[0] = int64(-9223372036854775808) "
      + "(with BlockwiseQuantization)",
    "subgraphs[0].tensors[0].quantization.zero_point[0] = int64(9223372036854775807) "
      + "(with MultiAxisQuantization)",
    "subgraphs[0].tensors[2].quantization.scale[0] = float(inf) (with quantization)",
    "subgraphs[0].tensors[2].is_variable = bool(true)",
    "subgraphs[0].tensors[1].sparsity.dim_metadata[0].array_segments.values of 3 elements "
      + "(with sparsity)",
    "buffers[1].data, word 1 = 0x80000000",
    "buffers[1].size = uint64(18446744073709551615) (with data elsewhere in the file)",
    "subgraphs[0].tensors[0].external_buffer = uint32(4294967295) (with data in another file)",
    "signature_defs[0].subgraph_index = uint32(4294967295) (with a signature)",
    "metadata[0].buffer = uint32(1) (with metadata)",
    "subgraphs[0].operators[0].inputs of 1 elements",
    "subgraphs[0].operators[0].builtin_options_2 = empty table of kind 23",
  ])
  func isAmongTheChanges(_ change: String) {
    #expect(Self.changes.contains(change))
  }

  @Test func sameNumberSameMutant() throws {
    let (first, second, other) = (try mutator(), try mutator(), try mutator(seed: 2))
    let numbers = [0, 7, 500, first.count, first.count + 9]
    #expect(numbers.map { first.bytes(ofMutant: $0) } == numbers.map { second.bytes(ofMutant: $0) })
    #expect(numbers.map { first.bytes(ofMutant: $0) } != numbers.map { other.bytes(ofMutant: $0) })
  }

  /// Errors of the decoder name the byte offset or the record.
  @Test func errorsHavePlaces() throws {
    let mutator = try mutator()
    // A fifth of the mutants is enough, because neighbouring mutants change the same field.
    for number in stride(from: 0, to: mutator.count, by: 5) {
      do throws(ModelFileError) {
        _ = try ModelFile(bytes: mutator.bytes(ofMutant: number))
      } catch {
        #expect(error.byteOffset != nil, "\(mutator.change(ofMutant: number)): \(error)")
      }
    }
  }

  /// The variants of a large model share one list, because a list for each would not fit in memory.
  ///
  /// The test runs in its own process, because other tests allocate memory as well.
  @Test func variantsOfLargeModelsAreSmall() async {
    await #expect(processExitsWith: .success) { try NumberMutatorTests.makeVariants() }
  }

  private static func makeVariants() throws {
    let count = 3000
    let writer = ModelWriter(subgraphs: [
      .init(
        tensors: (0..<count).map { .init("\($0)", .float32, [1]) }, inputs: [], outputs: [],
        operators: [])
    ])
    let fields = try TableSchema.fields(ofModel: writer.bytes())
    let before = try residentBytes()
    let variants = Array(ModelVariant.all(of: fields, fileName: "model.tflite"))
    #expect(variants.count > 4 * count)
    #expect(try residentBytes() - before < 64 << 20)
    // The variants still change the right fields.
    let last = try #require(variants.last)
    #expect(last.name == "with data in another file")
    let tensor = try #require(last.fields(of: fields)[last.path])
    #expect(tensor[last.schema["external_buffer"].position] == .uint32(1))
  }

  /// The process's resident memory.
  private static func residentBytes() throws -> Int {
    let text = String(decoding: try FileSystem.read("/proc/self/statm"), as: UTF8.self)
    return try #require(Int(text.split(separator: " ")[1])) * 4096
  }

  @Test func modelsAreTakenOneAfterTheOtherOrInTurns() {
    let all = MutantSchedule(singleChangeCounts: [2, 0, 3], count: nil)
    #expect(all.count == 5)
    #expect((0..<5).map { all[$0].subject } == [0, 0, 2, 2, 2])
    #expect((0..<5).map { all[$0].mutant } == [0, 1, 0, 1, 2])
    let some = MutantSchedule(singleChangeCounts: [2, 5], count: 6)
    #expect((0..<6).map { some[$0].subject } == [0, 1, 0, 1, 0, 1])
    #expect((0..<6).map { some[$0].mutant } == [0, 0, 1, 1, 2, 2])
    #expect(MutantSchedule(singleChangeCounts: [nil], count: nil).count == 10_000)
  }
}
