import Foundation
import OcellusPlatform
import OcellusTestSupport
import Testing

@testable import OcellusStore

/// Damage in a store's folder by a crash, a full disk or other programs.
///
/// Each error names the path and the remedy, and no file of others is lost.
@Suite struct DamagedStoreTests {
  private let source: TemporaryDirectory
  private let store: TestStore

  init() throws {
    source = try TemporaryDirectory()
    store = try TestStore()
    try FileSystem.write([1, 2, 3], to: source.path + "/model.tflite")
    try FileSystem.write(Array("cat\n".utf8), to: source.path + "/model.labels.txt")
  }

  private var folderStore: ModelStore { store.from(.folder(source.path)) }
  private var root: String { store.folder.path }

  /// The things that may be found instead of a file.
  enum Thing: String, CaseIterable, Sendable {
    case nothing, empty, truncated, longer, otherBytes, folder, pipe, brokenLink, linkToItself,
      linkToDevice, linkToOthers

    /// The target of links: a file that is not the store's.
    static let precious = "precious"

    func put(at path: String, in folder: String) throws {
      let bytes = try FileSystem.read(path)
      try FileSystem.remove(path)
      switch self {
      case .nothing: break
      case .empty: try FileSystem.write([], to: path)
      case .truncated: try FileSystem.write(Array(bytes.dropLast()), to: path)
      case .longer: try FileSystem.write(bytes + [0], to: path)
      case .otherBytes: try FileSystem.write(bytes.map { $0 ^ 1 }, to: path)
      case .folder: try FileSystem.createDirectory(path + "/sub")
      case .pipe: mkfifo(path, 0o600)
      case .brokenLink: symlink("nowhere", path)
      case .linkToItself: symlink(path, path)
      case .linkToDevice: symlink("/dev/zero", path)
      case .linkToOthers: symlink("\(folder)/\(Self.precious)", path)
      }
    }
  }

  // MARK: Files of versions

  @Test(arguments: Thing.allCases, ["model.tflite", "model.labels.txt"])
  func filesOfVersions(thing: Thing, file: String) throws {
    try FileSystem.write([9], to: "\(source.path)/\(Thing.precious)")
    let path = try folderStore.update("model").path.parentPath + "/" + file
    try thing.put(at: path, in: source.path)
    let error = #expect(throws: StoreError.self) { try folderStore.localModel("model") }
    #expect(error?.kind == .damaged)
    #expect(error?.message.contains("the stored model 'model', version") == true)
    #expect(error?.message.contains(path) == true, "\(error?.message ?? "")")
    #expect(
      error?.message.contains("'ocellus models pull model --from \(source.path)' mends it") == true)
    let mended = try folderStore.update("model")
    #expect(try FileSystem.read(mended.path) == [1, 2, 3])
    #expect(try FileSystem.read("\(source.path)/\(Thing.precious)") == [9])
  }

  @Test(arguments: [false, true]) func foldersOfVersions(isFile: Bool) throws {
    let folder = try folderStore.update("model").path.parentPath
    try FileSystem.remove(folder)
    if isFile { try FileSystem.write([1], to: folder) }
    let error = #expect(throws: StoreError.self) { try folderStore.localModel("model") }
    #expect(error?.kind == .damaged)
    #expect(error?.message.contains(folder) == true)
    #expect(try FileSystem.read(folderStore.update("model").path) == [1, 2, 3])
  }

  // MARK: Records

  @Test(arguments: Thing.allCases) func records(thing: Thing) throws {
    let precious = "\(source.path)/\(Thing.precious)"
    try FileSystem.write([9], to: precious)
    _ = try folderStore.update("model")
    let path = root + "/models/model.json"
    try thing.put(at: path, in: source.path)
    let error = #expect(throws: StoreError.self) { try folderStore.localModel("model") }
    let isMissing = [.nothing, .brokenLink].contains(thing)
    #expect(error?.kind == .notDownloaded || !isMissing)
    #expect(error?.message.contains(isMissing ? root : path) == true, "\(error?.message ?? "")")
    #expect(folderStore.recordedNames() == (isMissing ? [] : ["model"]))
    // The store overwrites regular files only; for the rest the error names the remedy.
    let result = Result { try folderStore.update("model") }
    if [.folder, .pipe, .linkToItself, .linkToDevice].contains(thing) {
      #expect(throws: StoreError.self) { try result.get() }
      try folderStore.remove("model")
      _ = try folderStore.update("model")
    }
    #expect(try FileSystem.read(folderStore.localModel("model").path) == [1, 2, 3])
    #expect(try FileSystem.read(precious) == [9])
  }

  /// A record of another model or of an unknown format is damaged, and an update replaces it.
  @Test(arguments: [
    #"{"format":1,"name":"other"}"#, #"{"format":2,"name":"model"}"#, "[]", "{\"format\":1}",
  ])
  func recordsOfOthers(text: String) throws {
    _ = try folderStore.update("model")
    try FileSystem.write(Array(text.utf8), to: root + "/models/model.json")
    let error = #expect(throws: StoreError.self) { try folderStore.localModel("model") }
    #expect(error?.kind == .damaged)
    #expect(error?.message.contains("models pull model") == true)
    #expect(folderStore.recordedNames() == ["model"])
    _ = try folderStore.update("model")
    #expect(try folderStore.localModel("model").byteCount == 3)
  }

  /// The files of a model with a damaged record survive the arrival of another model.
  @Test(arguments: [Thing.otherBytes, .folder]) func filesOfDamagedRecordsStay(thing: Thing) throws
  {
    let path = try folderStore.update("model").path
    let record = root + "/models/model.json"
    let bytes = try FileSystem.read(record)
    try thing.put(at: record, in: source.path)
    try FileSystem.write([4, 5], to: source.path + "/other.tflite")
    _ = try folderStore.update("other")
    try folderStore.remove("other")
    #expect(FileSystem.exists(path))
    try FileSystem.remove(record)
    try FileSystem.write(bytes, to: record)
    #expect(try folderStore.localModel("model").byteCount == 3)
  }

  /// Files whose names no record can have are not the store's: they are ignored and kept.
  @Test(arguments: ["Notes.json", "my notes.json", "%6d.json", "%.json", ".json", "notes.txt"])
  func filesOfOthersAmongRecords(name: String) throws {
    let path = try folderStore.update("model").path
    try FileSystem.write([1], to: "\(root)/models/\(name)")
    #expect(folderStore.recordedNames() == ["model"])
    #expect(try folderStore.remove(["model"]) == nil)
    #expect(!FileSystem.exists(path))
    #expect(FileSystem.exists("\(root)/models/\(name)"))
  }

  /// Removing a model reports the damaged records that keep its files on the disk.
  @Test func damagedRecordsThatKeepFilesAreNamed() throws {
    let path = try folderStore.update("model").path
    try FileSystem.write([1], to: root + "/models/other%20one.json")
    let remark = try folderStore.remove(["model"])
    #expect(remark?.kind == .damaged)
    #expect(remark?.message.contains("'other one'") == true)
    #expect(FileSystem.exists(path))
    #expect(try folderStore.remove(["other one"]) == nil)
  }

  @Test func whatWasTriedAndIsBad() throws {
    store.options.selfTest = ModelSelfTest { _ in throw StoreError(.unusable, "it is three") }
    #expect(throws: StoreError.self) { try folderStore.update("model") }
    let error = #expect(throws: StoreError.self) { try folderStore.localModel("model") }
    #expect(error?.kind == .notDownloaded)
    #expect(error?.message.contains("it is three") == true)
  }

  // MARK: What is on its way

  @Test(arguments: Thing.allCases) func filesOnTheirWay(thing: Thing) throws {
    let precious = "\(source.path)/\(Thing.precious)"
    try FileSystem.write([9], to: precious)
    let file = try versionKey()
    let folder = "\(root)/incoming/\(file)"
    try FileSystem.createDirectory(folder)
    try FileSystem.write([1, 2, 3], to: folder + "/model.tflite")
    try thing.put(at: folder + "/model.tflite", in: source.path)
    #expect(try FileSystem.read(folderStore.update("model").path) == [1, 2, 3])
    #expect(try FileSystem.read(precious) == [9])
  }

  /// A link instead of a folder is removed, and the files that it leads to are kept.
  @Test(arguments: [false, true]) func foldersOnTheirWay(isLink: Bool) throws {
    let precious = try TemporaryDirectory()
    try FileSystem.write([9], to: precious.path + "/file")
    let folder = "\(root)/incoming/\(try versionKey())"
    try FileSystem.createDirectory(root + "/incoming")
    if isLink {
      symlink(precious.path, folder)
    } else {
      try FileSystem.write([1], to: folder)
    }
    #expect(try FileSystem.read(folderStore.update("model").path) == [1, 2, 3])
    #expect(try FileSystem.entries(of: precious.path) == ["file"])
  }

  /// Old files that no store could have written are kept.
  @Test func filesOfOthersStay() throws {
    let path = root + "/incoming/holiday.jpg"
    try FileSystem.createDirectory(root + "/incoming")
    try FileSystem.write([9], to: path)
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: 1)], ofItemAtPath: path)
    _ = try folderStore.update("model")
    #expect(FileSystem.exists(path))
  }

  private func versionKey() throws -> String {
    let other = try TestStore()
    return try other.from(.folder(source.path)).update("model").path.parentPath.lastPathComponent
  }

  // MARK: What is in the way

  @Test(arguments: ["models", "versions", "incoming", "locks", ""])
  func filesInPlaceOfFolders(name: String) throws {
    let path = name.isEmpty ? root + "/store" : root + "/" + name
    if name.isEmpty { store.options.folder = path }
    try FileSystem.write([1], to: path)
    let error = #expect(throws: StoreError.self) { try folderStore.update("model") }
    #expect(error?.kind == .fileFailed)
    #expect(error?.message.contains(path) == true)
    #expect(error?.message.contains("remove it") == true, "\(error?.message ?? "")")
    #expect(throws: StoreError.self) { try folderStore.localModel("model") }
  }

  @Test func foldersInPlaceOfLocks() throws {
    let path = root + "/locks/model-model"
    try FileSystem.createDirectory(path)
    let error = #expect(throws: StoreError.self) { try folderStore.update("model") }
    #expect(error?.message.contains(path) == true)
    #expect(error?.message.contains("remove it") == true)
  }

  @Test(arguments: [Thing.empty, .otherBytes, .folder, .brokenLink, .linkToOthers])
  func keysOfRollouts(thing: Thing) throws {
    let precious = "\(source.path)/\(Thing.precious)"
    try FileSystem.write([], to: precious)
    try FileSystem.write([1], to: root + "/bucket")
    try thing.put(at: root + "/bucket", in: source.path)
    #expect(try folderStore.update("model").byteCount == 3)
    #expect(try FileSystem.read(precious).isEmpty)
  }

  // MARK: Commands that mend

  @Test(arguments: [
    ("the catalogue", "v1", "ocellus models pull model"),
    ("/my models", "v1", "ocellus models pull model --from \"/my models\""),
    (
      "https://example.org/m.json", "v1",
      "ocellus models pull model --from https://example.org/m.json"
    ),
    (
      "https://example.org/m.tflite", "aaaaaaaaaaaa",
      "ocellus models pull model --from https://example.org/m.tflite --sha256 "
        + String(repeating: "a", count: 64)
    ),
    ("https://example.org:443, project x", "v1", "fetching it again from its host mends it"),
  ])
  func commands(host: String, version: String, command: String) throws {
    let name = try ModelName("model")
    var record = ModelRecord(name: name.text)
    record.current = .init(
      version: version,
      files: VersionFiles(sha256: String(repeating: "a", count: 64), byteCount: 1), validator: nil,
      host: host)
    let cache = ModelCache(root: root)
    try cache.write(record, of: name)
    #expect(cache.absence(of: name).message.contains(command))
  }
}
