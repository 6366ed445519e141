import OcellusJSON
import OcellusPlatform

/// The folder of a store: what is where, and who may change it.
///
///     models/NAME.json       which version of a model is good: one record each
///     versions/DIGEST/       the files of a version, complete and never changed
///     incoming/DIGEST/       files on their way
///     documents/             manifests, as they were the last time
///     locks/                 empty files, held by who changes something
///     bucket                 the key of this machine for staged rollouts
///
/// Everything becomes visible by one rename, of a record or of a folder: who reads needs no lock, and whoever
/// is killed leaves what was before.
struct ModelCache: Sendable {
  static let modelFile = "model.tflite"
  private static let longestRecord = 1 << 20
  private static let recordEnding = ".json"

  let root: String

  var documents: KeptDocuments { KeptDocuments(folder: root + "/documents") }
  private var models: String { root + "/models" }
  var versions: String { root + "/versions" }
  var incoming: String { root + "/incoming" }
  var locks: String { root + "/locks" }

  // MARK: Records

  private func recordPath(_ name: ModelName) -> String {
    "\(models)/\(name.fileName)\(Self.recordEnding)"
  }

  /// What the file of a record holds.
  enum RecordState {
    case missing
    case good(ModelRecord)
    /// It is there, and is no record of the model that it is called after.
    case damaged(path: String)
    /// The system does not let it be read.
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

  /// What is known of a model; nothing, where the record is missing or damaged.
  func record(of name: ModelName) -> ModelRecord {
    if case .good(let record) = state(of: name) { return record }
    return ModelRecord(name: name.text)
  }

  /// What is known of a model that is to be changed: what cannot be read must not be overwritten.
  func recordToChange(of name: ModelName) throws(StoreError) -> ModelRecord {
    if case .unreadable(let error) = state(of: name) { throw StoreError(error) }
    return record(of: name)
  }

  /// All that is known.
  struct Inventory {
    /// The records, in the order of their names.
    var records: [ModelRecord] = []
    /// The names of models whose records are damaged or cannot be read.
    var damaged: [String] = []
    /// Why not all records were read.
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

  /// The model whose record is called so; `nil` for files that somebody else put there, with names that no
  /// record gets.
  private static func modelName(ofRecord file: String) -> ModelName? {
    guard file.hasSuffix(recordEnding) else { return nil }
    let stem = String(file.dropLast(recordEnding.count))
    guard let text = stem.unescaped, let name = try? ModelName(text), name.fileName == stem else {
      return nil
    }
    return name
  }

  /// All records that can be read, in the order of names.
  func records() -> [ModelRecord] { inventory().records }

  /// Makes a record the one that counts.
  func write(_ record: ModelRecord, of name: ModelName) throws(StoreError) {
    try inStore { () throws(FileError) in
      try FileSystem.createDirectory(models)
      try FileSystem.removeLink(recordPath(name))
      try FileSystem.writeDurably(Array(record.document.text.utf8), to: recordPath(name))
    }
  }

  /// Forgets a model.
  func removeRecord(of name: ModelName) throws(StoreError) {
    try inStore { () throws(FileError) in try FileSystem.remove(recordPath(name)) }
  }

  // MARK: Versions

  func folder(of key: VersionKey) -> String { "\(versions)/\(key.text)" }

  /// A version, if its files are there and are what they were; holds them.
  func open(_ version: ModelRecord.Version, of name: String) -> StoredModel? {
    let folder = folder(of: version.files.key)
    guard let lease = VersionLease(folder), isWhole(version.files, in: folder) else { return nil }
    return StoredModel(
      name: name, version: version.version, path: "\(folder)/\(Self.modelFile)",
      labelsPath: version.files.labels.map { "\(folder)/\($0.name)" },
      sha256: version.files.sha256, byteCount: version.files.byteCount, lease: lease)
  }

  /// Whether the files have the digests that they should have.
  func isWhole(_ files: VersionFiles, in folder: String) -> Bool {
    flaw(of: files, in: folder) == nil
  }

  // MARK: Locks

  /// What somebody changes alone.
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

    /// Whether this is the name of a download's lock.
    static func isDownload(_ fileName: String) -> Bool { fileName.hasPrefix(download) }
  }

  /// Waits until nobody else changes something, and keeps others from it until the result is gone.
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

  /// Keeps others from making room, until the result is gone.
  func lockRoom(_ client: WebClient) throws(StoreError) -> OpenFile {
    let file = try inStore { () throws(FileError) in try roomFile() }
    // Making room takes no time worth speaking of.
    try wait(for: file, .shared, client) {}
    return file
  }

  /// The right to make room; `nil` if somebody is getting files that no record names yet.
  func lockRoomAlone() -> OpenFile? {
    guard let file = try? roomFile(), (try? file.tryLock(.exclusive)) == true else { return nil }
    return file
  }

  private func roomFile() throws(FileError) -> OpenFile {
    try FileSystem.createDirectory(locks)
    return try OpenFile(toLock: locks + "/room")
  }

  // MARK: Rollouts

  /// A key of this machine's own that stays the same; nothing where there is no writing.
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
  /// Takes away a link, so that what is written to its path does not take the place of what it leads to: a store
  /// makes no links, and what they lead to is not its own.
  static func removeLink(_ path: String) throws(FileError) {
    if isLink(path) { try remove(path) }
  }

  /// Whether there is a link, wherever it leads to.
  static func isLink(_ path: String) -> Bool {
    var status = stat()
    return path.withFileName { lstat($0, &status) } == 0 && status.st_mode & S_IFMT == S_IFLNK
  }
}
