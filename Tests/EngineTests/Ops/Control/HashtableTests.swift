import OcellusEngine
import OcellusModelFile
import OcellusTestSupport
import Testing

@Suite struct HashtableTests {
  private typealias Tensor = ModelWriter.Tensor
  private typealias Operator = ModelWriter.Operator

  /// Fills a table from two inputs, looks up the keys of a third one, and returns the key count.
  private func model(_ keyType: TensorType, count: Int, wanted: Int) -> ModelWriter {
    let valueType: TensorType = keyType == .string ? .int64 : .string
    return ModelWriter(subgraphs: [
      ModelWriter.Subgraph(
        tensors: [
          Tensor("handle", .resource, [1]), Tensor("keys", keyType, [count]),
          Tensor("values", valueType, [count]), Tensor("wanted", keyType, [wanted]),
          Tensor("fallback", valueType, [1]), Tensor("found", valueType, [wanted]),
          Tensor("size", .int64, [1]),
        ],
        inputs: [1, 2, 3, 4], outputs: [5, 6],
        operators: [
          Operator(
            OperatorCodeRecord(named: "HASHTABLE"), inputs: [], outputs: [0],
            options: .init(
              tag: BuiltinOptionsTag.hashtable,
              [0: .int32(1), 1: .int8(Int8(keyType.rawValue)), 2: .int8(Int8(valueType.rawValue))])),
          Operator(OperatorCodeRecord(named: "HASHTABLE_IMPORT"), inputs: [0, 1, 2], outputs: []),
          Operator(OperatorCodeRecord(named: "HASHTABLE_FIND"), inputs: [0, 3, 4], outputs: [5]),
          Operator(OperatorCodeRecord(named: "HASHTABLE_SIZE"), inputs: [0], outputs: [6]),
        ])
    ])
  }

  private func packed(_ strings: [String]) throws -> [UInt8] {
    try #require(PackedStrings.bytes(of: strings.map { Array($0.utf8) }))
  }

  /// Every key occurs twice, where the first occurrence counts; the keys include the empty string
  /// and a long one.
  private static let texts = (0..<3000).map { index in
    index % 1500 == 7
      ? "" : index % 1500 == 8 ? String(repeating: "long", count: 99) : "\(index % 1500)"
  }
  private static let numbers = (0..<3000).map { Int64($0) &* 0x1E37_79B9_7F4A_7C15 }

  @Test func textsLeadToTheFirstOfTheirNumbers() throws {
    let wanted = Array(Self.texts.prefix(1500)) + ["1500", "lon"]
    let interpreter = try Interpreter(
      Model(bytes: model(.string, count: 3000, wanted: wanted.count).bytes()))
    try interpreter.setInput(at: 0, bytes: packed(Self.texts))
    try interpreter.setInput(at: 1, to: Self.numbers)
    try interpreter.setInput(at: 2, bytes: packed(wanted))
    try interpreter.setInput(at: 3, to: [-1] as [Int64])
    try interpreter.run()
    let found: [Int64] = try interpreter.output(at: 0)
    #expect(found == Array(Self.numbers.prefix(1500)) + [-1, -1])
    let size: [Int64] = try interpreter.output(at: 1)
    #expect(size == [1500])
  }

  @Test func numbersLeadToTheFirstOfTheirTexts() throws {
    let wanted = Array(Self.numbers.prefix(1500)) + [5]
    let keys = Self.numbers.prefix(1500) + Self.numbers.prefix(1500).reversed()
    let interpreter = try Interpreter(
      Model(bytes: model(.int64, count: 3000, wanted: wanted.count).bytes()))
    try interpreter.setInput(at: 0, to: Array(keys))
    try interpreter.setInput(at: 1, bytes: packed(Self.texts))
    try interpreter.setInput(at: 2, to: wanted)
    try interpreter.setInput(at: 3, bytes: packed(["none"]))
    try interpreter.run()
    let found = try interpreter.main.withOutputBytes(at: 0) { [UInt8]($0) }
    #expect(try found == packed(Self.texts.prefix(1500) + ["none"]))
  }
}
