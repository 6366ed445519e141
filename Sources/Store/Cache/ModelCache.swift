import OcellusJSON
import OcellusPlatform

/// The folder of a store: its layout and its locks.
///
///     models/NAME.json       the record of a model, which names its current version
///     versions/DIGEST/       the files of a version, complete and never changed
///     incoming/DIGEST/       partial downloads
///     documents/             cached manifests
///     locks/                 empty files, locked by the process that changes something
///     defaults.json          the models that are used where none is named
///     bucket                 the key of this machine for staged rollouts
///
/// All changes become visible by one rename of a record or a folder. Readers therefore need no
/// lock, and a killed process leaves the old state.
struct ModelCache: Sendable {
  static let modelFile = "model.tflite"
  private static let longestRecord = 1 << 20
  private static let recordEnding = ".json"

  let root: String

  var documents: DocumentCache { DocumentCache(folder: root + "/documents") }
  private var models: String { root + "/models" }
  var versions: String { root + "/versions" }
  var incoming: String { root + "/incoming" }
  var locks: String { root + "/locks" }

  // MARK: Records

  private func recordPath(_ name: ModelName) -> String {
    "\(models)/\(name.fileName)\(Self.recordEnding)"
  }

  /// The state of a record's file.
  enum RecordState {
    case missing
    case good(ModelRecord)
    /// The file exists, but is not a record of the model that it is named after.
    case damaged(path: String)
    /// The system denies access to the file.
    case unreadable(FileError)
  }

  func state(of name: ModelName) -> RecordState {
    let path = recordPath(name)
    do throws(FileError) {
      let bytes = try FileSystem.read(path, limit: Self.longestRecord)
      guard let record = ModelRecord(bytes), let owner = try? ModelName(record.name),
        owner.fileName == name.fileName
      else { return .damaged(path: path) }
      return .good(record)
    } catch {
      switch error.problem {
      case .system(ENOENT), .system(ENOTDIR): return .missing
      case .tooLarge: return .damaged(path: path)
      default: return .unreadable(error)
      }
    }
  }

  /// Returns the record of a model; an empty one if it is missing, damaged or unreadable.
  func record(of name: ModelName) -> ModelRecord {
    if case .good(let record) = state(of: name) { return record }
    return ModelRecord(name: name.text)
  }

  /// Returns the record of a model for a change; throws if it is unreadable, to not overwrite it.
  func recordToChange(of name: ModelName) throws(StoreError) -> ModelRecord {
    if case .unreadable(let error) = state(of: name) { throw StoreError(error) }
    return record(of: name)
  }

  /// The records of a store.
  struct Inventory {
    /// The readable records, sorted by name.
    var records: [ModelRecord] = []
    /// The names of models whose records are damaged or cannot be read.
    var damaged: [String] = []
    /// The error that kept a record or the folder from being read.
    var obstacle: FileError?
  }

  func inventory() -> Inventory {
    var inventory = Inventory()
    for name in recordedNames(&inventory) {
      switch state(of: name) {
      case .missing: continue
      case .good(let record): inventory.records.append(record)
      case .damaged: inventory.damaged.append(name.text)
      case .unreadable(let error):
        inventory.damaged.append(name.text)
        inventory.obstacle = error
      }
    }
    inventory.records.sort { $0.name < $1.name }
    return inventory
  }

  private func recordedNames(_ inventory: inout Inventory) -> [ModelName] {
    do throws(FileError) {
      return try FileSystem.entries(of: models).compactMap(Self.modelName(ofRecord:))
    } catch {
      if error.problem != .system(ENOENT) { inventory.obstacle = error }
      return []
    }
  }

  /// Returns the name of the model whose record has this file name; `nil` if no record can have it.
  private static func modelName(ofRecord file: String) -> ModelName? {
    guard file.hasSuffix(recordEnding) else { return nil }
    let stem = String(file.dropLast(recordEnding.count))
    guard let text = stem.unescaped, let name = try? ModelName(text), name.fileName == stem else {
      return nil
    }
    return name
  }

  /// Returns all readable records, sorted by name.
  func records() -> [ModelRecord] { inventory().records }

  /// Replaces the record of a model.
  func write(_ record: ModelRecord, of name: ModelName) throws(StoreError) {
    try inStore { () throws(FileError) in
      try FileSystem.createDirectory(models)
      try FileSystem.removeLink(recordPath(name))
      try FileSystem.writeDurably(Array(record.document.text.utf8), to: recordPath(name))
    }
  }

  /// Removes the record of a model.
  func removeRecord(of name: ModelName) throws(StoreError) {
    try inStore { () throws(FileError) in try FileSystem.remove(recordPath(name)) }
  }

  // MARK: Versions

  func folder(of key: VersionKey) -> String { "\(versions)/\(key.text)" }

  /// Opens a version if its files are intact, and protects it from removal.
  func open(_ version: ModelRecord.Version, of name: String) -> StoredModel? {
    let folder = folder(of: version.files.key)
    guard let lease = VersionLease(folder), isWhole(version.files, in: folder) else { return nil }
    return StoredModel(
      name: name, version: version.version, path: "\(folder)/\(Self.modelFile)",
      labelsPath: version.files.labels.map { "\(folder)/\($0.name)" },
      sha256: version.files.sha256, byteCount: version.files.byteCount, lease: lease)
  }

  /// Whether the files exist and have the recorded digests.
  func isWhole(_ files: VersionFiles, in folder: String) -> Bool {
    flaw(of: files, in: folder) == nil
  }

  // MARK: Locks

  /// A resource that one process at a time may change.
  enum Subject {
    case model(ModelName)
    case download(id: String)

    fileprivate var fileName: String {
      switch self {
      case .model(let name): "model-" + name.fileName
      case .download(let id): Self.download + id
      }
    }

    private static let download = "download-"

    /// Whether a lock file is that of a download.
    static func isDownload(_ fileName: String) -> Bool { fileName.hasPrefix(download) }
  }

  /// Waits for the exclusive lock on a subject; it is held for the lifetime of the result.
  func lock(
    _ subject: Subject, _ client: WebClient, waiting: () -> Void
  ) throws(StoreError) -> OpenFile {
    let file = try inStore { () throws(FileError) in
      try FileSystem.createDirectory(locks)
      return try OpenFile(toLock: "\(locks)/\(subject.fileName)")
    }
    try wait(for: file, .exclusive, client, waiting)
    return file
  }

  private func wait(
    for file: OpenFile, _ lock: OpenFile.Lock, _ client: WebClient, _ waiting: () -> Void
  ) throws(StoreError) {
    let end = ContinuousClock.now + client.conditions.lockTimeout
    while try inStore({ () throws(FileError) in try !file.tryLock(lock) }) {
      waiting()
      if client.cancellation.isCancelled { throw StoreError(.cancelled, "the fetch was cancelled") }
      guard ContinuousClock.now < end else {
        throw StoreError(
          .busy,
          "another process has been changing the store for too long: it holds \(file.path)")
      }
      usleep(20_000)
    }
  }

  /// Blocks eviction for the lifetime of the result; several fetches may do so at the same time.
  func blockEviction(_ client: WebClient) throws(StoreError) -> OpenFile {
    let file = try inStore { () throws(FileError) in try evictionLockFile() }
    // An eviction takes too little time to report the waiting.
    try wait(for: file, .shared, client) {}
    return file
  }

  /// Returns the lock for an eviction; `nil` if a fetch is in progress.
  func tryLockEviction() -> OpenFile? {
    guard let file = try? evictionLockFile(), (try? file.tryLock(.exclusive)) == true else {
      return nil
    }
    return file
  }

  private func evictionLockFile() throws(FileError) -> OpenFile {
    try FileSystem.createDirectory(locks)
    return try OpenFile(toLock: locks + "/room")
  }

  // MARK: Rollouts

  /// Returns a persistent random key of this machine; the empty string if it cannot be written.
  func machineKey() -> String {
    let path = root + "/bucket"
    if let bytes = try? FileSystem.read(path, limit: 64), !bytes.isEmpty {
      return String(decoding: bytes, as: UTF8.self)
    }
    let key = String(UInt64.random(in: 0...(.max)), radix: 36)
    guard (try? FileSystem.removeLink(path)) != nil,
      (try? FileSystem.writeDurably(Array(key.utf8), to: path)) != nil
    else { return "" }
    return key
  }
}

extension FileSystem {
  /// Removes a symbolic link, so that writing to its path does not replace the link's target.
  ///
  /// A store creates no links, so the target belongs to somebody else.
  static func removeLink(_ path: String) throws(FileError) {
    if isLink(path) { try remove(path) }
  }

  /// Whether the path is a symbolic link, even a dangling one.
  static func isLink(_ path: String) -> Bool {
    var status = stat()
    return path.withFileName { lstat($0, &status) } == 0 && status.st_mode & S_IFMT == S_IFLNK
  }
}
