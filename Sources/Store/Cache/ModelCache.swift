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

  /// What is known of a model; nothing, where the record is missing or damaged.
  func record(of name: ModelName) -> ModelRecord {
    let bytes = try? FileSystem.read(recordPath(name), limit: Self.longestRecord)
    guard let record = bytes.flatMap(ModelRecord.init), record.name == name.text else {
      return ModelRecord(name: name.text)
    }
    return record
  }

  /// All that is known, in the order of names.
  func records() -> [ModelRecord] {
    let files = (try? FileSystem.entries(of: models)) ?? []
    return files.filter { $0.hasSuffix(Self.recordEnding) }.compactMap { file in
      (try? FileSystem.read("\(models)/\(file)", limit: Self.longestRecord))
        .flatMap(ModelRecord.init)
    }.sorted { $0.name < $1.name }
  }

  /// Makes a record the one that counts.
  func write(_ record: ModelRecord, of name: ModelName) throws(StoreError) {
    try inStore { () throws(FileError) in
      try FileSystem.createDirectory(models)
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
    let model = "\(folder)/\(Self.modelFile)"
    guard FileSystem.byteCount(of: model) == files.byteCount,
      (try? FileSystem.sha256(of: model)) == files.sha256
    else { return false }
    guard let labels = files.labels else { return true }
    return (try? FileSystem.sha256(of: "\(folder)/\(labels.name)")) == labels.sha256
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
    let end = ContinuousClock.now + client.conditions.lockTimeout
    while try inStore({ () throws(FileError) in try !file.tryLock(.exclusive) }) {
      waiting()
      if client.cancellation.isCancelled { throw StoreError(.cancelled, "the fetch was cancelled") }
      guard ContinuousClock.now < end else {
        throw StoreError(.busy, "somebody else has been updating the model for too long")
      }
      usleep(20_000)
    }
    return file
  }

  /// Keeps others from making room, until the result is gone.
  func lockRoom() throws(StoreError) -> OpenFile {
    try inStore { () throws(FileError) in
      let file = try roomFile()
      // Making room takes no time worth speaking of.
      while try !file.tryLock(.shared) { usleep(10_000) }
      return file
    }
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
    guard (try? FileSystem.writeDurably(Array(key.utf8), to: path)) != nil else { return "" }
    return key
  }
}
