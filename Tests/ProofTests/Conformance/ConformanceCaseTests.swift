import OcellusJSON
import OcellusPlatform
import OcellusProof
import OcellusTestSupport
import Testing

@Suite struct ConformanceCaseTests {
  /// Writes a case and reads it back through the decoder.
  private func decode(_ json: String, values: [UInt8] = []) throws -> ConformanceCase {
    let directory = try TemporaryDirectory()
    try FileSystem.createDirectory(directory.path + "/ADD")
    try FileSystem.write(Array(json.utf8), to: directory.path + "/ADD/one.json")
    try FileSystem.write(values, to: directory.path + "/ADD/one.bin")
    return try ConformanceCase(path: directory.path + "/ADD/one.json")
  }

  private static let tensor = """
    {"index": 0, "tensor": 4, "name": "x", "dtype": "float32", "shape": [2], "offset": 0, "bytes": 8}
    """

  @Test func readsOneInvocation() throws {
    let one = try decode(
      """
      {"op": "ADD", "case": "one", "invocations": 1, "inputs": [\(Self.tensor)], "resize": [[0, [2]]],
       "outputs": [{"index": 0, "dtype": "int8", "shape": [], "offset": 8, "bytes": 1,
                    "defined_bytes": 0}],
       "tolerance": {"kind": "close", "atol": 3e-45, "rtol": 1e-06}, "expect": "ok",
       "alternatives": [{"oracle": "BUILTIN", "outputs": [[7]]}]}
      """, values: [UInt8](repeating: 0, count: 9))
    #expect(one.group == "ADD")
    #expect(one.name == "one")
    #expect(one.modelPath.hasSuffix("/ADD/one.tflite"))
    #expect(one.expectation == .success)
    #expect(one.tolerance == .close(absolute: 3e-45, relative: 1e-6))
    #expect(one.alternatives == [[[7]]])
    let invocation = try #require(one.invocations.first)
    #expect(one.invocations.count == 1)
    #expect(invocation.resizes.map(\.shape) == [[2]])
    #expect(invocation.inputs.map(\.range) == [0..<8])
    #expect(invocation.outputs.map(\.definedByteCount) == [0])
  }

  @Test func readsSeveralInvocationsWithTheirOwnSignatures() throws {
    let one = try decode(
      """
      {"invocations": 2, "inputs": [[\(Self.tensor)], []], "outputs": [], "expect": "invoke_error",
       "signature": ["f", "g"], "resizes": [[], [[0, [3, 1]]]], "tolerance": {"kind": "exact"}}
      """, values: [UInt8](repeating: 0, count: 8))
    #expect(one.invocations.map(\.signature) == ["f", "g"])
    #expect(one.invocations.map(\.inputs.count) == [1, 0])
    #expect(one.invocations.map { $0.resizes.map(\.shape) } == [[], [[3, 1]]])
    #expect(one.expectation == .invokeError)
  }

  @Test func goldenResultsNameTheirModel() throws {
    let one = try decode(
      """
      {"model": "../../models/a.tflite", "invocations": 1, "inputs": [], "outputs": [],
       "tolerance": {"kind": "exact"}, "expect": "ok"}
      """)
    #expect(one.modelPath.hasSuffix("/ADD/../../models/a.tflite"))
  }

  @Test(arguments: [
    "[]", "{}", "{",
    #"{"invocations": 1, "inputs": [], "outputs": [], "tolerance": {"kind": "exact"}}"#,
    #"{"invocations": 1, "inputs": [], "outputs": [], "expect": "ok", "tolerance": {"kind": "x"}}"#,
    #"{"invocations": 0, "inputs": [], "outputs": [], "expect": "ok", "tolerance": {"kind": "exact"}}"#,
    """
    {"invocations": 1, "inputs": [\(tensor)], "outputs": [], "expect": "ok",
     "tolerance": {"kind": "exact"}, "notes": "bytes beyond the end"}
    """,
  ])
  func refusesWhatIsNotACase(json: String) {
    #expect(throws: ConformanceCaseError.self) { try decode(json) }
  }

  @Test(.enabled(if: SharedFiles.arePresent, "\(SharedFiles.missing)"))
  func readsGoldenResults() throws {
    let paths = SharedFiles.paths(in: "zoo/golden", withExtension: "json")
    #expect(paths.count > 80)
    for path in paths { _ = try ConformanceCase(path: path) }
  }
}
