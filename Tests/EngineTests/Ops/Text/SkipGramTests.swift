import OcellusEngine
import OcellusModelFile
import OcellusTestSupport
import Testing

@Suite struct SkipGramTests {
  private func grams(
    of text: String, size: Int32, skip: Int32, includesShorter: Bool = false
  ) throws -> [String] {
    let model = ModelWriter.singleOperator(
      OperatorCodeRecord(named: "SKIP_GRAM"), reading: [.init("x", .string, [1])],
      writing: [.init("y", .string, [1])],
      options: .init(
        tag: BuiltinOptionsTag.skipGram,
        [0: .int32(size), 1: .int32(skip), 2: .bool(includesShorter)]))
    let interpreter = try Interpreter(Model(bytes: model.bytes()))
    let header = [UInt8](bytesOf: [1, 12, 12 + Int32(text.utf8.count)])
    let bytes = header + Array(text.utf8)
    try bytes.withUnsafeBytes { try interpreter.main.setInput(at: 0, bytes: $0) }
    try interpreter.run()
    return try interpreter.main.withOutputBytes(at: 0) { bytes in
      guard let strings = try? PackedStrings(validating: UnsafeRawBufferPointer(bytes)) else {
        return ["no strings"]
      }
      return (0..<strings.count).map { String(decoding: strings[$0], as: UTF8.self) }
    }
  }

  @Test func oneWordMayBeSkipped() throws {
    #expect(
      try grams(of: "a b  c\td", size: 2, skip: 1) == ["a b", "a c", "b c", "b d", "c d"])
  }

  @Test func shorterRunsFollowTheLongerOnes() throws {
    #expect(
      try grams(of: "a b c", size: 2, skip: 0, includesShorter: true)
        == ["a b", "a", "b c", "b", "c"])
  }

  /// The operator finds the same runs of up to three words as a search over every subset of words.
  @Test(arguments: [0, 1, 2, 9], [false, true])
  func asManyAsThereAre(skip: Int32, includesShorter: Bool) throws {
    let words = ["a", "bc", "d", "efg", "h", "i"]
    var expected: Set<String> = []
    for subset in 1..<1 << words.count {
      let places = words.indices.filter { subset & 1 << $0 != 0 }
      let gaps = zip(places, places.dropFirst()).map { $1 - $0 - 1 }
      guard includesShorter ? places.count <= 3 : places.count == 3,
        gaps.allSatisfy({ $0 <= Int(skip) })
      else { continue }
      expected.insert(places.map { words[$0] }.joined(separator: " "))
    }
    let found = try grams(
      of: words.joined(separator: " "), size: 3, skip: skip, includesShorter: includesShorter)
    #expect(Set(found) == expected && found.count == expected.count)
  }

  @Test func tooFewWordsMakeNothing() throws {
    #expect(try grams(of: "a b", size: 3, skip: 5).isEmpty)
  }
}
