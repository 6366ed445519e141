import Foundation
import OcellusJSON
import OcellusModelFile
import OcellusPlatform
import OcellusStore
import OcellusTestSupport
import OcellusVision
import Testing

@testable import OcellusCommands

/// The models that are used where none is named, in processes with a store of their own.
@Suite struct DefaultModelTests {
  private static let mark = "knows drawn scenes only"
  private let source: TemporaryDirectory
  private let store: TemporaryDirectory
  private var detector: String { source.path + "/detector.tflite" }

  init() throws {
    source = try TemporaryDirectory()
    store = try TemporaryDirectory()
    try FileSystem.write(SyntheticDetector.writer().bytes(), to: detector)
    try FileSystem.write(SyntheticLabeler.writer.bytes(), to: source.path + "/labeler.tflite")
    let pose = SyntheticNetwork(
      input: [1, 32, 32, 3], type: .uint8,
      [("pose", .linear([1, 1, 17, 3], (0..<51).map { Float($0) / 60 }))])
    try FileSystem.write(pose.bytes(), to: source.path + "/pose.tflite")
  }

  private func run(_ arguments: String..., setting more: [String: String] = [:]) throws
    -> ProgramRun
  {
    var environment = ProcessInfo.processInfo.environment
    environment["OCELLUS_STORE"] = store.path
    return try ProgramRun(ofProcess: arguments, environment: environment.merging(more) { $1 })
  }

  private func member(_ name: String, of run: ProgramRun) throws -> JSONValue? {
    let line = try #require(run.output.split(separator: "\n").first)
    return try JSONParser.parse(Array(line.utf8)).object?[name]
  }

  // MARK: Warnings

  /// Each command that uses one of the package's own models says once that it knows no photographs,
  /// and how to get a model that does.
  @Test(arguments: [
    (
      ["detect", CommandSamples.picture, CommandSamples.picture, "--json"], "coco-ssd-mobilenet-v1"
    ),
    (["detect", CommandSamples.picture, CommandSamples.picture], "coco-ssd-mobilenet-v1"),
    (["label", CommandSamples.picture, CommandSamples.picture, "--jsonl"], "mobilenet-v1-0.25"),
    (["track", CommandSamples.clip, "--json"], "coco-ssd-mobilenet-v1"),
    (["worker", "detect", "--requests", "/dev/null"], "coco-ssd-mobilenet-v1"),
  ])
  func packagedModelsWarnOnce(arguments: [String], publicModel: String) throws {
    let run = ProgramRun(arguments)
    #expect(run.code == 0)
    #expect(run.errors.ranges(of: Self.mark).count == 1)
    #expect(run.errors.contains("'ocellus models default \(publicModel)'"))
    guard arguments.contains(where: ["--json", "--jsonl"].contains) else { return }
    let warnings = try #require(try member("model_warnings", of: run)?.array)
    #expect(warnings.count == 1)
    #expect(warnings[0].string?.contains(Self.mark) == true)
  }

  @Test(arguments: [CommandSamples.detector, "scenes-detector"])
  func aModelThatIsNamedGivesNoWarning(name: String) throws {
    let run = ProgramRun("detect", CommandSamples.picture, "-m", name, "--json")
    #expect(run.code == 0)
    #expect(!run.errors.contains(Self.mark))
    #expect(try member("model_warnings", of: run) == [])
  }

  /// The models that warnings name are in the catalogue, for the same task.
  @Test func publicModelsAreInTheCatalogue() throws {
    let entries = try ModelsCommandTests.catalog().entries
    for (model, task) in [(EmbeddedModel.detector, "detection"), (.labeler, "labeling")] {
      #expect(entries.first { $0.id == model.publicModelName }?.task == task)
    }
  }

  // MARK: The setting

  @Test func oneSettingMakesAModelTheDefault() throws {
    let picture = CommandSamples.picture
    let expected = try run("detect", picture, "-m", detector, "--csv")
    #expect(try run("models", "default", "detector", "--from", source.path).code == 0)
    let found = try run("detect", picture, "--csv")
    #expect(found.output == expected.output)
    #expect(!found.errors.contains(Self.mark))
    #expect(try run("detect", picture, "--explain").errors.contains("'ocellus models default'"))
    #expect(try run("models", "default", "labeler", "--from", source.path).code == 0)
    let named = try run("label", picture, "--json")
    #expect(!named.errors.contains(Self.mark))
    #expect(try member("model", of: named)?.string?.hasPrefix(store.path) == true)
    let defaults = try run("models", "default", "--json")
    #expect(
      try member("defaults", of: defaults) == ["detector": "detector", "labeler": "labeler"])
    #expect(try run("models", "remove", "labeler").code == 0)
    #expect(try run("label", picture).errors.contains(Self.mark))
    #expect(try run("models", "default", "--own").code == 0)
    #expect(try run("detect", picture).errors.contains(Self.mark))
  }

  @Test func aDefaultThatIsDamagedIsAnError() throws {
    #expect(try run("models", "default", "detector", "--from", source.path).code == 0)
    let path = try run("models", "path", "detector").output.trimmingCharacters(in: .newlines)
    try FileSystem.write([1], to: path)
    let run = try run("detect", CommandSamples.picture)
    #expect(run.code == 1)
    #expect(run.errors.contains("'ocellus models default NAME' chooses another"))
  }

  @Test func onlyDetectorsAndLabelersAreDefaults() throws {
    let run = try run("models", "default", "pose", "--from", source.path)
    #expect(run.code == 1)
    #expect(run.errors.contains("finds objects or classifies pictures"))
  }

  @Test(arguments: [["a", "b"], ["a", "--own"]])
  func wrongUsage(arguments: [String]) {
    #expect(ProgramRun(["models", "default"] + arguments).code == 2)
  }

  @Test func theEnvironmentNamesADefault() throws {
    let picture = CommandSamples.picture
    let expected = try run("detect", picture, "-m", detector, "--csv")
    #expect(try run("models", "pull", "detector", "--from", source.path).code == 0)
    for choice in [detector, "detector"] {
      let found = try run("detect", picture, "--csv", setting: ["OCELLUS_DETECTOR": choice])
      #expect(found.output == expected.output)
      #expect(!found.errors.contains(Self.mark))
    }
    for choice in ["nosuch", "/no/such.tflite"] {
      let found = try run("detect", picture, setting: ["OCELLUS_DETECTOR": choice])
      #expect(found.code == 1)
      #expect(found.errors.contains("OCELLUS_DETECTOR names '\(choice)'"))
    }
  }

  // MARK: The offer

  private static let hasTerminals = Executable.isThere("script") && WebServer.isAvailable

  /// Runs the program on a terminal of its own, and types an answer.
  private func runOnTerminal(_ arguments: String, typing answer: String) throws -> ProgramRun {
    let server = try #require(WebServer.shared)
    return try ProgramRun(
      inShell: """
        export OCELLUS_STORE='\(store.path)' OCELLUS_MODELS='\(source.path)' \
        CURL_CA_BUNDLE='\(server.authorities)'
        printf '\(answer)\\n' | script -qec "'$0' \(arguments)" /dev/null
        """, [])
  }

  /// Writes a catalogue whose model for photographs lies on the tests' web server.
  private func writeCatalog() throws {
    let server = try #require(WebServer.shared)
    let bytes = SyntheticDetector.writer().bytes()
    let path = "/offer-\(UUID().uuidString).tflite"
    try FileSystem.write(bytes, to: server.folder + path)
    let catalog = """
      {"models": [{"id": "coco-ssd-mobilenet-v1", "name": "A model", "task": "detection", \
      "summary": "Two things.", "license": "Apache-2.0", "url": "\(server.url(path))", \
      "sha256": "\(SHA256.hash(bytes).hexadecimal)", "bytes": \(bytes.count), "labels": "none"}]}
      """
    try FileSystem.write(Array(catalog.utf8), to: source.path + "/catalog.json")
  }

  @Test(.enabled(if: hasTerminals, "no terminals without script, or \(WebServer.missing)"))
  func aTerminalIsOfferedAModel() throws {
    try writeCatalog()
    let detect = "detect \(CommandSamples.picture)"
    let refused = try runOnTerminal(detect, typing: "n")
    for part in ["A model", "Apache-2.0", "https://localhost", "[y = yes", Self.mark] {
      #expect(refused.output.contains(part))
    }
    let taken = try runOnTerminal(detect, typing: "y")
    #expect(taken.code == 0)
    #expect(taken.output.contains("From now on coco-ssd-mobilenet-v1 is used"))
    #expect(try !runOnTerminal(detect, typing: "").output.contains("[y = yes"))
    let later = try run("detect", CommandSamples.picture, "--csv")
    #expect(
      try later.output == run("detect", CommandSamples.picture, "-m", detector, "--csv").output)
  }

  @Test(.enabled(if: hasTerminals, "no terminals without script, or \(WebServer.missing)"))
  func nobodyIsAskedTwiceWhoSaysNever() throws {
    try writeCatalog()
    let detect = "detect \(CommandSamples.picture)"
    #expect(try runOnTerminal(detect, typing: "v").output.contains("[y = yes"))
    let again = try runOnTerminal(detect, typing: "")
    #expect(!again.output.contains("[y = yes"))
    #expect(again.output.contains(Self.mark))
  }

  /// A download that fails is reported, and the picture is looked at all the same.
  @Test(.enabled(if: hasTerminals, "no terminals without script, or \(WebServer.missing)"))
  func aDownloadThatFailsEndsNothing() throws {
    try writeCatalog()
    let catalog = try String(contentsOfFile: source.path + "/catalog.json", encoding: .utf8)
    try FileSystem.write(
      Array(catalog.replacing(".tflite", with: ".nothing").utf8), to: source.path + "/catalog.json")
    let run = try runOnTerminal("detect \(CommandSamples.picture)", typing: "y")
    #expect(run.code == 0)
    #expect(run.output.contains("404"))
    #expect(run.output.contains("objects"))
  }

  @Test func nobodyIsAskedWithoutATerminal() throws {
    #expect(try !run("detect", CommandSamples.picture).errors.contains("[y = yes"))
  }
}
