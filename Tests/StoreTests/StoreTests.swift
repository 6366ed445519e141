import Foundation
import OcellusEngine
import OcellusModelFile
import OcellusPlatform
import OcellusTestSupport
import Synchronization
import Testing

@testable import OcellusStore

/// A store with a folder as its host, without any network.
@Suite struct StoreTests {
  private let source: TemporaryDirectory
  private let store: TestStore

  init() throws {
    source = try TemporaryDirectory()
    store = try TestStore()
  }

  private var folderStore: ModelStore { store.from(.folder(source.path)) }

  private func put(_ bytes: [UInt8], _ name: String = "model.tflite") throws {
    try FileSystem.write(bytes, to: "\(source.path)/\(name)")
  }

  private func offer(_ versions: [ManifestText.Version]) throws {
    try put(Array(ManifestText.text([("model", versions)]).utf8), "manifest.json")
  }

  private func version(_ name: String, _ bytes: [UInt8], more: String = "") throws
    -> ManifestText.Version
  {
    try put(bytes, "\(name).tflite")
    let file = ManifestText.File(
      url: "\(name).tflite", sha256: SHA256.hash(bytes).hexadecimal, byteCount: bytes.count)
    return .init(version: name, file: file, more: more)
  }

  // MARK: Policies

  @Test func nothingIsThereWithoutTheNetwork() throws {
    try put([1])
    let error = #expect(throws: StoreError.self) { try folderStore.localModel("model") }
    #expect(error?.kind == .notDownloaded)
    #expect(folderStore.localModels().isEmpty)
  }

  @Test func localOnlyAsksNobody() async throws {
    try put([1])
    let store = folderStore
    await #expect(throws: StoreError.self) { try await store.model("model", policy: .localOnly) }
    _ = try await store.model("model", policy: .latest)
    try FileSystem.remove("\(source.path)/model.tflite")
    #expect(try await store.model("model", policy: .localOnly).byteCount == 1)
  }

  @Test func theOldOneAtOnceAndThenTheNewOne() async throws {
    try put([1])
    let store = folderStore
    #expect(try await store.model("model").byteCount == 1)
    try put([1, 2])
    let fetch = store.fetch("model", policy: .localThenUpdate)
    #expect(try await fetch.model.byteCount == 1)
    #expect(try await fetch.updated.byteCount == 2)
    #expect(try store.localModel("model").byteCount == 2)
  }

  @Test func anUpdateThatFailsLeavesTheOldOne() async throws {
    try put([1])
    let store = folderStore
    _ = try await store.model("model")
    try FileSystem.remove("\(source.path)/model.tflite")
    let fetch = store.fetch("model", policy: .localThenUpdate)
    #expect(try await fetch.model.byteCount == 1)
    await #expect(throws: StoreError.self) { try await fetch.updated }
    await #expect(throws: StoreError.self) { try await store.model("model", policy: .latest) }
    #expect(try store.localModel("model").byteCount == 1)
  }

  @Test func newsArrive() async throws {
    try put(Noise.bytes(100_000))
    let fetch = folderStore.fetch("model", policy: .latest)
    var news: [FetchProgress] = []
    for await item in fetch.progress { news.append(item) }
    #expect(try await fetch.updated.byteCount == 100_000)
    #expect(!news.isEmpty)
  }

  // MARK: What is on the disk

  @Test func whatIsDamagedIsNotUsed() throws {
    try put([1, 2, 3])
    let model = try folderStore.update("model")
    try FileSystem.write([1, 2, 4], to: model.path)
    #expect(throws: StoreError.self) { try folderStore.localModel("model") }
    let mended = try folderStore.update("model")
    #expect(try FileSystem.read(mended.path) == [1, 2, 3])
  }

  @Test func theOneBeforeStandsIn() throws {
    try put([1])
    _ = try folderStore.update("model")
    try put([2, 2])
    let newer = try folderStore.update("model")
    try FileSystem.write([0, 0], to: newer.path)
    #expect(try folderStore.localModel("model").byteCount == 1)
  }

  /// A damaged or malicious record never leads to files outside the store, and an update replaces
  /// it.
  @Test(arguments: [
    #"{"format":1,"name":"model","current":{"version":"1","sha256":"../../etc","bytes":1}}"#,
    #"{"format":1,"name":"model","current":{"version":"1","sha256":"DIGEST","bytes":1,"labels":{"name":"../x","sha256":"DIGEST"}}}"#,
    #"{"format":1,"name":"model","current":[]}"#, "{", "", "\u{0}",
  ])
  func damagedRecords(text: String) throws {
    let digest = SHA256.hash([9]).hexadecimal
    try FileSystem.createDirectory("\(store.folder.path)/models")
    try FileSystem.write(
      Array(text.replacing("DIGEST", with: digest).utf8),
      to: "\(store.folder.path)/models/model.json")
    #expect(throws: StoreError.self) { try folderStore.localModel("model") }
    try put([1])
    #expect(try folderStore.update("model").byteCount == 1)
  }

  @Test(arguments: ["a b", "a/b", "../../x", "@@", "ä", "A", "-rf"])
  func namesStayInTheStore(name: String) throws {
    let file = ManifestText.File(
      url: "x.tflite", sha256: SHA256.hash([1]).hexadecimal, byteCount: 1)
    try put([1], "x.tflite")
    try put(
      Array(ManifestText.text([(name, [.init(version: "1", file: file)])]).utf8), "manifest.json")
    let model = try folderStore.update(name)
    #expect(model.path.hasPrefix(store.folder.path + "/versions/"))
    #expect(folderStore.localModels().map(\.name) == [name])
    try folderStore.remove(name)
    #expect(folderStore.localModels().isEmpty)
  }

  @Test func removedModelsAreGoneForThoseWhoCome() throws {
    try put([1])
    let model = try folderStore.update("model")
    try folderStore.remove("model")
    #expect(throws: StoreError.self) { try folderStore.localModel("model") }
    // A caller that has the model keeps it.
    #expect(try FileSystem.read(model.path) == [1])
  }

  /// Files are kept while another process holds the shared lock, and removed by a later update.
  @Test func filesThatSomebodyGetsAreNotRemoved() throws {
    try put([1])
    let path = try folderStore.update("model").path
    do {
      let room = try OpenFile(toLock: store.folder.path + "/locks/room")
      #expect(try room.tryLock(.shared))
      try folderStore.remove("model")
      withExtendedLifetime(room) {}
    }
    #expect(throws: StoreError.self) { try folderStore.localModel("model") }
    #expect(FileSystem.exists(path))
    try put([2], "other.tflite")
    _ = try folderStore.update("other")
    #expect(!FileSystem.exists(path))
  }

  // MARK: Room

  @Test func theLeastRecentlyUsedGoes() throws {
    store.options.sizeLimit = 2500
    for name in ["a", "b", "c"] {
      try put(Noise.bytes(1000), "\(name).tflite")
      _ = try folderStore.update(name)
      if name == "b" {
        usleep(20_000)
        _ = try folderStore.localModel("a")
      }
      usleep(20_000)
    }
    #expect(folderStore.localModels().map(\.name) == ["a", "c"])
  }

  @Test func whatIsInUseStays() throws {
    store.options.sizeLimit = 1500
    try put(Noise.bytes(1000), "a.tflite")
    let used = try folderStore.update("a")
    try put(Noise.bytes(1000), "b.tflite")
    _ = try folderStore.update("b")
    #expect(folderStore.localModels().map(\.name) == ["a", "b"])
    withExtendedLifetime(used) {}
  }

  @Test func theVersionBeforeGoesFirst() throws {
    store.options.sizeLimit = 2500
    try put(Noise.bytes(1000), "a.tflite")
    _ = try folderStore.update("a")
    try put(Noise.bytes(1001), "a.tflite")
    _ = try folderStore.update("a")
    try put(Noise.bytes(1000), "b.tflite")
    _ = try folderStore.update("b")
    #expect(folderStore.localModels().map(\.byteCount) == [1001, 1000])
  }

  /// A time of last use in the future, from a wrong clock, does not protect a model from removal.
  @Test func timesFromTheFuture() throws {
    store.options.sizeLimit = 1500
    try put(Noise.bytes(1000), "a.tflite")
    let path = try folderStore.update("a").path.parentPath
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSinceNow: 1e9)], ofItemAtPath: path)
    try put(Noise.bytes(1000), "b.tflite")
    _ = try folderStore.update("b")
    #expect(folderStore.localModels().map(\.name) == ["b"])
  }

  // MARK: Tests and rollouts

  @Test func aVersionThatFailsItsTestIsNotTakenAgain() throws {
    try offer([try version("1", [1])])
    _ = try folderStore.update("model")
    try offer([try version("2", [2, 2]), try version("1", [1])])
    let tests = Mutex(0)
    store.options.selfTest = ModelSelfTest { model in
      tests.withLock { $0 += 1 }
      if model.version == "2" { throw StoreError(.unusable, "it is two") }
    }
    let error = #expect(throws: StoreError.self) { try folderStore.update("model") }
    #expect(error?.kind == .unusable)
    #expect(error?.message.contains("it is two") == true)
    #expect(try folderStore.localModel("model").version == "1")
    // From now on the version after it is the newest.
    #expect(try folderStore.update("model").version == "1")
    #expect(tests.withLock { $0 } == 1)
    try offer([try version("3", [3, 3, 3]), try version("2", [2, 2])])
    #expect(try folderStore.update("model").version == "3")
  }

  @Test func whatIsNoModelIsNotTaken() throws {
    store.options.selfTest = .runs()
    try put(SyntheticLabeler.writer.bytes())
    let good = try folderStore.update("model")
    try put(Noise.bytes(1000))
    let error = #expect(throws: StoreError.self) { try folderStore.update("model") }
    #expect(error?.kind == .unusable)
    #expect(try folderStore.localModel("model").sha256 == good.sha256)
  }

  @Test func aVersionThatTurnsOutToBeBadGivesWay() throws {
    try offer([try version("1", [1])])
    _ = try folderStore.update("model")
    try offer([try version("2", [2, 2]), try version("1", [1])])
    let bad = try folderStore.update("model")
    #expect(try folderStore.reject(bad, because: "it finds nothing")?.version == "1")
    #expect(try folderStore.localModel("model").version == "1")
    #expect(try folderStore.update("model").version == "1")
  }

  @Test func versionsForLaterLibrariesArePassedOver() throws {
    try offer([
      try version("2", [2, 2], more: #", "minimum_ocellus": "99""#), try version("1", [1]),
    ])
    #expect(try folderStore.update("model").version == "1")
    try offer([try version("3", [3], more: #", "minimum_ocellus": "99.1""#)])
    let other = try TestStore().from(.folder(source.path))
    let error = #expect(throws: StoreError.self) { try other.update("model") }
    #expect(error?.message.contains("99.1") == true)
  }

  @Test func keysDecideAboutRollouts() throws {
    try offer([try version("2", [2, 2], more: #", "rollout": 50"#), try version("1", [1])])
    let name = try ModelName("model")
    for key in 0..<20 {
      let store = try TestStore()
      store.options.rolloutKey = "\(key)"
      let isEarly = RolloutBucket(key: "\(key)", model: name).percent < 50
      for _ in 0..<2 {
        #expect(
          try store.from(.folder(source.path)).update("model").version == (isEarly ? "2" : "1"))
      }
    }
  }

  // MARK: Folders

  @Test func namesOfFilesAreVersions() throws {
    try put([1], "m@9.tflite")
    try put([2, 2], "m@10.tflite")
    try put(Array("x\n".utf8), "m@10.labels.txt")
    try put([3], "other.tflite")
    let model = try folderStore.update("m")
    #expect(model.version == "10")
    #expect(model.labelsPath != nil)
    #expect(try folderStore.offeredNames() == ["m", "other"])
  }
}
