import OcellusEngine
import OcellusModelFile
import OcellusTestSupport
import Testing

@Suite struct ArgExtremumTests {
  private func position(
    _ name: String, of values: [Float], shape: [Int]? = nil, axis: Int32 = -1
  ) throws -> [Int32] {
    let tag = name == "ARG_MAX" ? BuiltinOptionsTag.argMax : BuiltinOptionsTag.argMin
    let options = ModelWriter.Options(tag: tag, [0: .int8(Int8(TensorType.int32.rawValue))])
    return try run(
      name, [.init(shape ?? [values.count], values), .init([1], [axis])], options: options,
      as: Int32.self
    ).values
  }

  @Test func theFirstOfEqualElementsCounts() throws {
    #expect(try position("ARG_MAX", of: [1, 7, 7, 2]) == [1])
    #expect(try position("ARG_MIN", of: [4, 1, 1, 2]) == [1])
  }

  @Test func nanNeverWins() throws {
    #expect(try position("ARG_MAX", of: [.nan, -.infinity, .nan]) == [1])
    #expect(try position("ARG_MIN", of: [.nan, .nan]) == [0])
  }

  @Test func searchesAlongInnerAxes() throws {
    #expect(try position("ARG_MAX", of: [1, 5, 3, 2], shape: [2, 2], axis: 0) == [1, 0])
  }

  @Test func nanNeverWinsAlongInnerAxes() throws {
    #expect(
      try position("ARG_MAX", of: [.nan, .nan, 2, -.infinity, 1, .nan], shape: [3, 2], axis: 0)
        == [1, 1])
  }

  @Test func refusesEmptyAxes() {
    #expect(throws: ModelError.self) { try position("ARG_MAX", of: [], shape: [0]) }
  }
}
