import OcellusImaging
import OcellusJSON
import OcellusPlatform
import OcellusTestSupport
import Testing

@testable import OcellusCommands

/// Damaged traces and receipts are compared, or rejected with an error that names the file or the
/// problem.
@Suite struct AuditFuzzTests {
  private static let mutantCount = 150
  private let folder: TemporaryDirectory
  private let model: String

  init() throws {
    folder = try TemporaryDirectory()
    model = folder.path + "/loop.tflite"
    try FileSystem.write(SyntheticLoop().bytes, to: model)
  }

  private func expectVerdictOrError(_ run: ProgramRun, _ note: String) {
    #expect((0...4).contains(run.code), "\(note)")
    if run.output.isEmpty { #expect(run.errors.hasPrefix("ocellus: "), "\(note)") }
  }

  // MARK: Changes

  private func changed(
    _ bytes: [UInt8], _ generator: inout SeededGenerator
  ) -> [UInt8] {
    var bytes = bytes
    guard !bytes.isEmpty else { return [UInt8.random(in: 0...255, using: &generator)] }
    let position = Int.random(in: bytes.indices, using: &generator)
    switch Int.random(in: 0..<4, using: &generator) {
    case 0: bytes[position] = UInt8.random(in: 0...255, using: &generator)
    case 1: bytes[position] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
    case 2: bytes.removeSubrange(position...)
    default: bytes.removeSubrange(position..<min(position + 9, bytes.count))
    }
    return bytes
  }

  /// Returns the JSON with one value inside it replaced by a hostile one or removed.
  private func changed(_ json: JSONValue, _ generator: inout SeededGenerator) -> JSONValue {
    let unpleasant: [JSONValue] = [
      .integer(.max), .integer(.min), .integer(-1), .integer(1 << 40), .number(.infinity), .null,
      .string(""), .string("../../etc/passwd"), .array([]), .array([.integer(.max), .integer(9)]),
      .object(JSONObject()), .bool(true),
    ]
    func replacement() -> JSONValue { unpleasant.randomElement(using: &generator) ?? .null }
    switch json {
    case .object(let object) where !object.members.isEmpty:
      var members = object.members
      let index = Int.random(in: members.indices, using: &generator)
      if Int.random(in: 0..<12, using: &generator) == 0 {
        members.remove(at: index)
      } else {
        members[index] = .init(
          name: members[index].name, value: changed(members[index].value, &generator))
      }
      return .object(JSONObject(members))
    case .array(var elements) where !elements.isEmpty:
      let index = Int.random(in: elements.indices, using: &generator)
      elements[index] = changed(elements[index], &generator)
      return .array(elements)
    default: return replacement()
    }
  }

  // MARK: Traces

  @Test func changedTracesAreComparedOrRefused() throws {
    let trace = folder.path + "/trace"
    #expect(ProgramRun("trace", model, "--level", "full", "-o", trace).code == 0)
    #expect(ProgramRun("diff", model, trace).code == 0)
    var generator = SeededGenerator(seed: 18)
    let names = try FileSystem.entries(of: trace).sorted()
    let text = try FileSystem.read(trace + "/trace.json")
    let json = try JSONParser.parse(text)
    for mutant in 0..<Self.mutantCount {
      let isJSON = !mutant.isMultiple(of: 3)
      let name = isJSON ? "trace.json" : try #require(names.randomElement(using: &generator))
      let path = "\(trace)/\(name)"
      let original = try FileSystem.read(path)
      let bytes =
        isJSON
        ? Array(changed(json, &generator).text.utf8) : changed(original, &generator)
      try FileSystem.write(bytes, to: path)
      expectVerdictOrError(ProgramRun("diff", model, trace, "--json"), "mutant \(mutant), \(name)")
      expectVerdictOrError(ProgramRun("diff", trace, trace), "mutant \(mutant), \(name)")
      try FileSystem.write(original, to: path)
    }
  }

  @Test func changedArchivesAreComparedOrRefused() throws {
    let archive = folder.path + "/trace.npz"
    #expect(ProgramRun("trace", model, "--level", "full", "-o", archive).code == 0)
    let original = try FileSystem.read(archive)
    var generator = SeededGenerator(seed: 19)
    for mutant in 0..<Self.mutantCount {
      let path = folder.path + "/mutant.npz"
      try FileSystem.write(changed(original, &generator), to: path)
      expectVerdictOrError(ProgramRun("diff", model, path), "mutant \(mutant)")
    }
  }

  // MARK: Receipts

  @Test func changedReceiptsAreCheckedOrRefused() throws {
    let (path, kept) = (folder.path + "/receipt.json", folder.path + "/kept")
    #expect(ProgramRun("receipt", model, "-o", path, "--keep", kept).code == 0)
    let text = try FileSystem.read(path)
    let json = try JSONParser.parse(text)
    var generator = SeededGenerator(seed: 20)
    for mutant in 0..<Self.mutantCount {
      let bytes =
        mutant.isMultiple(of: 3)
        ? changed(text, &generator) : Array(changed(json, &generator).text.utf8)
      try FileSystem.write(bytes, to: path)
      var run = ProgramRun("receipt", "check", path, model)
      // A forger would give the receipt the root that matches its contents.
      if let root = run.errors.firstMatch(of: /that of its contents ([0-9a-f]{64})/)?.output.1,
        let object = try JSONParser.parse(bytes).object
      {
        let members = object.members.map {
          $0.name == "root" ? .init(name: "root", value: .string(String(root))) : $0
        }
        let forged = JSONValue.object(JSONObject(members))
        try FileSystem.write(Array(forged.text.utf8), to: path)
        run = ProgramRun("receipt", "check", path, model)
        // If only the root was changed, the receipt is now the original.
        #expect(run.code != 0 || forged == json, "mutant \(mutant): a forged receipt holds")
      }
      expectVerdictOrError(run, "mutant \(mutant)")
      expectVerdictOrError(
        ProgramRun("receipt", "check", path, model, "--keep", kept, "--sample", "9"),
        "mutant \(mutant)")
    }
  }
}
