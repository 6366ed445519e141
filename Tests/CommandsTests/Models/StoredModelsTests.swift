import Foundation
import OcellusJSON
import OcellusModelFile
import OcellusPlatform
import OcellusStore
import OcellusTestSupport
import Testing

@testable import OcellusCommands

/// `ocellus models` in processes, with a web server and a shared folder.
@Suite struct StoredModelsTests {
  private let source: TemporaryDirectory
  private let store: TemporaryDirectory

  init() throws {
    source = try TemporaryDirectory()
    store = try TemporaryDirectory()
  }

  private func process(_ arguments: [String]) -> Process {
    let process = ProgramRun.process(arguments)
    process.environment = environment
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    return process
  }

  private var environment: [String: String] {
    var environment = ProcessInfo.processInfo.environment
    environment["OCELLUS_STORE"] = store.path
    environment["CURL_CA_BUNDLE"] = WebServer.shared?.authorities
    return environment
  }

  private func run(_ arguments: [String]) throws -> ProgramRun {
    try ProgramRun(ofProcess: arguments, environment: environment)
  }

  /// Returns a classifier with many weights, to have something to download.
  private func labeler(seed: UInt64, weightCount: Int = 100_000) -> [UInt8] {
    var generator = SeededGenerator(seed: seed)
    let weights = (0..<weightCount).map { _ in Float.random(in: 0...1, using: &generator) }
    return SyntheticNetwork(
      input: [1, 4, 4, 3], type: .uint8,
      [("scores", .linear([1, 3], [1, 0, 0])), ("weights", .constant([weightCount], weights))]
    ).bytes()
  }

  private func put(_ bytes: [UInt8], _ name: String = "model.tflite") throws {
    try FileSystem.write(bytes, to: "\(source.path)/\(name)")
  }

  // MARK: The way of a model

  @Test func fromAFolderToADetection() throws {
    for name in [".tflite", ".labels.txt"] {
      try put(
        try FileSystem.read(CommandSamples.detector.replacing(".tflite", with: name)),
        "scenes" + name)
    }
    #expect(try run(["models", "serve-manifest", source.path]).code == 0)
    #expect(try run(["models", "serve-manifest", source.path]).code == 2)
    #expect(try run(["models", "serve-manifest", source.path, "--force"]).code == 0)
    let offered = try run(["models", "list", "--from", source.path])
    #expect(offered.output.contains("scenes"))
    #expect(try run(["models", "pull", "scenes", "--from", source.path]).code == 0)
    let found = try run(["detect", CommandSamples.picture, "-m", "scenes", "--csv"])
    let expected = ProgramRun(
      "detect", CommandSamples.picture, "-m", CommandSamples.detector, "--csv")
    #expect(found.code == 0)
    #expect(found.output == expected.output)
    for command in ["inspect", "run", "bench"] { #expect(try run([command, "scenes"]).code == 0) }
    #expect(try run(["diff", "scenes@fast", "@reference"]).code == 0)
    #expect(try run(["models", "verify"]).code == 0)
    let path = try run(["models", "path", "scenes"]).output.trimmingCharacters(in: .newlines)
    try FileSystem.write([1], to: path)
    #expect(try run(["models", "verify"]).code == 1)
    #expect(try run(["models", "remove", "scenes"]).code == 0)
    #expect(try run(["models", "remove", "scenes"]).code == 1)
    #expect(try run(["inspect", "scenes"]).code == 1)
  }

  /// Lists name damaged models; an unreadable folder of records is an error, not an empty list.
  @Test func listsNameWhatIsDamaged() throws {
    try put([1])
    try FileSystem.createDirectory(store.path + "/models")
    try FileSystem.write([1], to: store.path + "/models/broken.json")
    for from in [[], ["--from", source.path]] {
      let run = try run(["models", "list", "--json"] + from)
      #expect(run.code == 0)
      let list = try #require(JSONParser.parse(Array(run.output.utf8)).object)
      #expect(list["damaged"] == ["broken"])
      #expect(list["stored"] == [])
      #expect(run.errors.contains("broken"))
    }
    try FileSystem.remove(store.path + "/models")
    try FileSystem.write([1], to: store.path + "/models")
    for arguments in [["list"], ["list", "--json"], ["list", "--from", source.path]] {
      let run = try run(["models"] + arguments)
      #expect(run.code == 1)
      #expect(run.output.isEmpty)
      #expect(run.errors.contains(store.path + "/models"))
    }
  }

  /// Removing a model names the damaged records that keep its files on the disk.
  @Test func damagedRecordsKeepFiles() throws {
    try put(labeler(seed: 1, weightCount: 100))
    #expect(try run(["models", "pull", "model", "--from", source.path]).code == 0)
    try FileSystem.write([1], to: store.path + "/models/broken.json")
    let run = try run(["models", "remove", "model"])
    #expect(run.code == 0)
    #expect(run.output == "model: removed\n")
    #expect(run.errors.contains("'broken'"))
  }

  /// An unknown model name gives an error that explains where names come from.
  @Test(arguments: [
    (["run", "nosuch"], "'nosuch' is neither a file nor a model that was pulled"),
    (["detect", "a.png", "-m", "nosuch"], "'nosuch' is neither a file nor a model"),
    (["audit", "nosuch.jpg", "-o", "page.html"], "nosuch.jpg: No such file or directory"),
    (["profile", "nosuch#3"], "see 'ocellus models list'"),
    (["diff", "nosuch@fast", "@reference"], "see 'ocellus models list'"),
    (["inspect", "coco-ssd-mobilnet-v1"], "did you mean 'coco-ssd-mobilenet-v1'?"),
    (["inspect", "coco-ssd"], "did you mean 'coco-ssd-mobilenet-v1'?"),
    (["detect", "a.png", "-m", "food"], "did you mean 'food-ssd-fpnlite'?"),
    (["bench", "coco-ssd-mobilenet-v1"], "'ocellus models pull coco-ssd-mobilenet-v1' fetches it"),
    (["run", "iris-landmark@exact"], "'ocellus models pull iris-landmark' fetches it"),
  ])
  func namesOfNothing(arguments: [String], hint: String) throws {
    let run = try run(arguments)
    #expect(run.code == 1)
    #expect(run.errors.contains(hint))
  }

  /// The public models are downloaded by name, from a local copy of the catalogue and its files.
  @Test(
    .enabled(if: WebServer.isAvailable, "\(WebServer.missing)"),
    .enabled(if: SharedFiles.arePresent, "\(SharedFiles.missing)"))
  func theCatalogueFromALoopbackCopy() throws {
    let server = try #require(WebServer.shared)
    let shared = ["tflite", "txt"].flatMap { SharedFiles.paths(in: "zoo", withExtension: $0) }
    let byDigest = Dictionary(shared.map { ((try? FileSystem.sha256(of: $0)) ?? "", $0) }) { $1 }
    let entries = try ModelsCommandTests.catalog().entries.filter { entry in
      [entry.model, entry.labels].allSatisfy { $0.map { byDigest[$0.sha256] != nil } ?? true }
    }
    #expect(entries.count >= 9)
    var catalog = try String(contentsOfFile: ModelsCommandTests.catalogPath, encoding: .utf8)
    try FileSystem.createDirectory(server.folder + "/catalogue")
    for file in entries.flatMap({ [$0.model, $0.labels] }).compactMap({ $0 }) {
      let path = try #require(byDigest[file.sha256])
      try FileSystem.write(
        try FileSystem.read(path), to: "\(server.folder)/catalogue/\(file.sha256)")
      catalog = catalog.replacing(file.url, with: server.url("/catalogue/\(file.sha256)"))
    }
    try put(Array(catalog.utf8), "catalog.json")
    var environment = environment
    environment["OCELLUS_MODELS"] = source.path
    for entry in entries {
      let pulled = try ProgramRun(
        ofProcess: ["models", "pull", entry.id], environment: environment)
      #expect(pulled.code == 0, "\(pulled.errors)")
      if entry.task == "detection" {
        let found = try run(["detect", CommandSamples.picture, "-m", entry.id, "--json"])
        #expect(found.code == 0, "\(entry.id): \(found.errors)")
      }
    }
  }

  // MARK: Several processes

  @Test(.enabled(if: WebServer.isAvailable, "\(WebServer.missing)"))
  func processesThatUpdateAtOnceDownloadOnce() throws {
    let (server, folder, url) = try host("/slow")
    try FileSystem.write(labeler(seed: 1, weightCount: 200_000), to: "\(folder)/model.tflite")
    _ = try run(["models", "serve-manifest", folder])
    let processes = (0..<4).map { _ in
      process(["models", "pull", "model", "--from", url + "/manifest.json"])
    }
    for process in processes { try process.run() }
    for process in processes {
      process.waitUntilExit()
      #expect(process.terminationStatus == 0)
    }
    let path = String(url.dropFirst(server.url("").count)) + "/model.tflite"
    #expect(try server.requests(of: path).count == 1)
  }

  private func host(_ parent: String = "") throws -> (
    server: WebServer, folder: String, url: String
  ) {
    let server = try #require(WebServer.shared)
    let path = "\(parent)/\(UUID().uuidString)"
    try FileSystem.createDirectory(server.folder + path)
    return (server, server.folder + path, server.url(path))
  }

  /// After the program is killed at any of 200 moments of an update, the store has the old model or
  /// the new one, and the next update works.
  @Test(.enabled(if: WebServer.isAvailable, "\(WebServer.missing)"), arguments: [false, true])
  func killedAtAnyMoment(isFromTheWeb: Bool) throws {
    let (_, folder, url) = try host()
    let from = isFromTheWeb ? url + "/manifest.json" : folder
    var generator = SeededGenerator(seed: isFromTheWeb ? 1 : 2)
    var (old, wholeTime, kills, updates) = ("", 0.1, 0, 0)
    var seed: UInt64 = 0
    while kills < 100 {
      seed += 1
      let new = SHA256.hash(try offer(seed: seed, in: folder)).hexadecimal
      let update = process(["models", "pull", "model", "--from", from])
      let start = ContinuousClock.now
      try update.run()
      // Every tenth update completes, which also measures its duration.
      if seed % 10 == 1 {
        update.waitUntilExit()
        #expect(update.terminationStatus == 0)
        wholeTime = (ContinuousClock.now - start) / .seconds(1)
      } else {
        usleep(UInt32(Double.random(in: 0...wholeTime, using: &generator) * 1e6))
        kill(update.processIdentifier, SIGKILL)
        update.waitUntilExit()
        kills += 1
      }
      let present = try stored()
      #expect(present == old || present == new, "after \(kills) kills")
      if present == new { updates += 1 }
      old = present
    }
    #expect(updates >= 10)
    #expect(try run(["models", "pull", "model", "--from", from]).code == 0)
  }

  private func offer(seed: UInt64, in folder: String) throws -> [UInt8] {
    let bytes = labeler(seed: seed)
    try FileSystem.write(bytes, to: "\(folder)/model.tflite")
    let manifest = try ModelFolder(folder).manifestDocument().text
    // The server tells versions apart by length and second, so each manifest has another length.
    let padding = String(repeating: " ", count: Int(seed % 1000))
    try FileSystem.write(Array((manifest + padding).utf8), to: "\(folder)/manifest.json")
    return bytes
  }

  /// Returns the digest of the stored model's file.
  private func stored() throws -> String {
    let store = ModelStore(.nothing, options: .init(folder: store.path))
    return try FileSystem.sha256(of: store.localModel("model").path)
  }

  // MARK: The way to the server

  @Test(.enabled(if: Executable.isThere("curl"), "no curl on this machine"))
  func proxiesAreThoseOfTheEnvironment() throws {
    let proxy = try ScriptedServer { _ in .answer("403 Forbidden") }
    var environment = environment
    environment["https_proxy"] = "http://127.0.0.1:\(proxy.port)"
    let run = try ProgramRun(
      ofProcess: ["models", "pull", "model", "--from", "https://models.invalid/manifest.json"],
      environment: environment.filter { $0.key.lowercased() != "no_proxy" })
    #expect(run.code == 1)
    #expect(proxy.count(of: "models.invalid:443") > 0)
  }

  // MARK: Disks

  @Test(.enabled(if: ProgramRun.mayMount, "this system lets nobody mount"))
  func aFullDiskLeavesTheOldModel() throws {
    try put(labeler(seed: 1, weightCount: 1000), "model@1.tflite")
    try FileSystem.createDirectory(source.path + "/next")
    try put(labeler(seed: 2, weightCount: 500_000), "next/model@2.tflite")
    let run = try ProgramRun(
      inShell: """
        mount -t tmpfs -o size=256k none "$TMP"; export OCELLUS_STORE="$TMP"
        "$0" models pull model --from \(source.path) > /dev/null || exit 3
        "$0" models pull model --from \(source.path)/next; echo "code $?"
        "$0" models verify && "$0" models pull model --from \(source.path)
        """, [], mounting: true)
    #expect(run.code == 0)
    #expect(run.output.contains("code 1"))
    #expect(run.output.contains("model, version 1: fine"))
    #expect(run.errors.contains("No space left on device"))
  }

  @Test(.enabled(if: ProgramRun.mayMount, "this system lets nobody mount"))
  func aDiskThatIsReadOnlyCanBeUsed() throws {
    try put(labeler(seed: 1, weightCount: 1000), "model@1.tflite")
    let run = try ProgramRun(
      inShell: """
        mount -t tmpfs none "$TMP"; export OCELLUS_STORE="$TMP"
        "$0" models pull model --from \(source.path) > /dev/null || exit 3
        mount -o remount,ro "$TMP"
        "$0" models pull model --from \(source.path); echo "code $?"
        "$0" models verify && "$0" run model
        """, [], mounting: true)
    #expect(run.code == 0)
    #expect(run.output.contains("code 1"))
    #expect(run.errors.contains("Read-only file system"))
  }
}
