import Foundation
import OcellusImaging
import OcellusJSON
import OcellusModelFile
import OcellusPlatform
import OcellusTestSupport
import OcellusVision
import Testing

@testable import OcellusCommands

/// Every JSON result of every command is valid by the one schema.
@Suite struct ResultSchemaTests {
  private static let file = PackageFiles.path(
    "Sources/Umbrella/Ocellus.docc/Resources/results.schema.json")
  private static let commands = Program.commands.map { $0.definition }.filter { definition in
    definition.options.contains { $0.name == "json" } || printsOnlyJSON(definition)
  }
  private let schema: JSONSchema
  private let samples: CommandSamples

  init() throws {
    schema = try JSONSchema(parsing: FileSystem.read(Self.file))
    samples = try CommandSamples()
  }

  private func results(_ arguments: [String]) throws -> [JSONValue] {
    let run = try ProgramRun(ofProcess: arguments)
    return try run.output.split(separator: "\n").map { try JSONParser.parse(Array($0.utf8)) }
  }

  @Test(arguments: commands)
  func resultsAreAsTheSchemaSays(definition: CommandDefinition) throws {
    let lines = try #require(samples.printing[definition.name]).filter {
      $0.contains("--json") || $0.contains("--jsonl") || Self.printsOnlyJSON(definition)
    }
    for flag in ["json", "jsonl"] where definition.options.contains(where: { $0.name == flag }) {
      #expect(lines.contains { $0.contains("--\(flag)") }, "no sample of --\(flag)")
    }
    for arguments in lines + samples.failing(definition.name) {
      let results = try results([definition.name] + arguments)
      #expect(!results.isEmpty, "\(arguments)")
      for result in results {
        #expect(result.object?["command"]?.string == definition.name)
        #expect(schema.problems(of: result).isEmpty, "\(arguments)")
        for name in result.memberNames where !isSourceOfCatalogue(definition) {
          #expect(name.wholeMatch(of: /[a-z][a-z0-9_]*/) != nil, "\(name) in \(arguments)")
        }
      }
    }
  }

  private static func printsOnlyJSON(_ definition: CommandDefinition) -> Bool {
    definition.name == "worker"
  }

  /// Whether a result contains a catalogue's text, which is passed on unchanged.
  private func isSourceOfCatalogue(_ definition: CommandDefinition) -> Bool {
    definition.name == "models"
  }

  @Test func schemaIsStrict() throws {
    let result = try #require(results(["detect", CommandSamples.picture, "--json"]).first?.object)
    #expect(schema.problems(of: .object(result)).isEmpty)
    for member in result.members {
      let others = JSONObject(result.members.filter { $0.name != member.name })
      #expect(!schema.problems(of: .object(others)).isEmpty, "without \(member.name)")
      let wrong: JSONValue = .object(others + [member.name: [true]])
      #expect(!schema.problems(of: wrong).isEmpty, "a wrong \(member.name)")
    }
    #expect(!schema.problems(of: .object(result + ["more": 1])).isEmpty)
  }

  @Test func digestIsThatOfTheModel() throws {
    let result = try #require(results(["inspect", CommandSamples.labeler, "--json"]).first?.object)
    #expect(
      result["model_sha256"]?.string == (try FileSystem.sha256(of: CommandSamples.labeler)))
    #expect(result["program_version"]?.string == Program.version)
  }

  /// What looks wrong about a model is said in JSON and on standard error.
  @Test func warningsAboutModels() throws {
    let folder = try TemporaryDirectory()
    let path = folder.path + "/rough.tflite"
    let rows = SyntheticNetwork.Output.quantized(
      [1, 300, 6], [Float](repeating: 0, count: 1800), .int8, scale: 0.30625, zeroPoint: -128)
    let network = SyntheticNetwork(
      input: [1, 640, 640, 3], type: .uint8, [(name: "rows", output: rows)])
    try Data(network.bytes()).write(to: URL(filePath: path))
    for flag in ["--json", "--jsonl"] {
      let run = ProgramRun("detect", CommandSamples.picture, "-m", path, flag)
      #expect(run.code == 0)
      #expect(run.errors.contains("warning: the model's boxes are rounded to steps of 196 pixels"))
      let result = try JSONParser.parse(Array(run.output.utf8))
      #expect(schema.problems(of: result).isEmpty)
      let warnings = result.object?["model_warnings"]?.array?.compactMap(\.string) ?? []
      #expect(warnings.count { $0.contains("steps of") } == 2, "\(warnings)")
    }
  }
}
