import OcellusPlatform

/// A store of models that are fetched on demand, updated independently of the app, and verified.
///
/// A store is a folder, which any number of stores in any number of processes may share at the same
/// time; a read-only folder can still be read. A new version replaces the current one after its
/// digest is verified and its self-test has passed. The replacement is atomic: if the process is
/// killed, the store has either the old or the new version.
public final class ModelStore: Sendable {
  /// The options of a store.
  public struct Options: Sendable {
    /// The folder of the store.
    ///
    /// The default is the value of the environment variable `OCELLUS_STORE`, or `ocellus/models` in
    /// the user's cache directory.
    public var folder: String
    /// The limits on the use of the network.
    public var conditions = FetchConditions()
    /// The test that a new version must pass before it is used.
    public var selfTest = ModelSelfTest.runs()
    /// The key for staged rollouts: stores with the same key get the same versions.
    ///
    /// With `nil`, the folder keeps a random key.
    public var rolloutKey: String?
    /// The size limit of the folder in bytes; beyond it, the least recently used versions are
    /// removed.
    public var sizeLimit = 8 << 30

    /// Creates the default options for a folder.
    public init(folder: String = ModelStore.standardFolder) {
      self.folder = folder
    }
  }

  /// The host that models come from.
  public let host: ModelHost
  /// The options of the store.
  public let options: Options
  private let transport: any ModelTransport
  private var cache: ModelCache { ModelCache(root: options.folder) }

  /// Creates a store for the models of a host.
  public init(
    _ host: ModelHost, transport: any ModelTransport = CurlTransport(),
    options: Options = Options()
  ) {
    self.host = host
    self.transport = transport
    self.options = options
  }

  /// The default folder of stores.
  public static var standardFolder: String {
    if let folder = ProcessEnvironment.value(of: "OCELLUS_STORE") { return folder }
    let caches =
      ProcessEnvironment.value(of: "XDG_CACHE_HOME")
      ?? (ProcessEnvironment.value(of: "HOME") ?? "/tmp") + "/.cache"
    return caches + "/ocellus/models"
  }

  // MARK: Fetching

  /// Returns the model with a name, according to the policy; waits for the network if necessary.
  ///
  /// Cancelling the task cancels the fetch, as long as this call waits for it.
  public func model(
    _ name: String, policy: FetchPolicy = .localThenUpdate
  ) async throws(StoreError) -> StoredModel {
    let fetch = fetch(name, policy: policy)
    let result = await withTaskCancellationHandler {
      await Result { () async throws(StoreError) in try await fetch.model }
    } onCancel: {
      fetch.cancel()
    }
    return try result.get()
  }

  /// Starts to fetch a model; the result provides the progress and the model.
  public func fetch(_ name: String, policy: FetchPolicy = .localThenUpdate) -> ModelFetch {
    ModelFetch(
      local: { policy == .localThenUpdate ? self.local(name) : nil },
      update: { cancellation, report throws(StoreError) in
        if policy == .localOnly { return try self.localModel(name) }
        return try self.update(name, cancellation, report: report)
      })
  }

  /// Updates a model, and waits for the result on this thread.
  package func update(
    _ name: String, report: @escaping (FetchProgress) -> Void = { _ in }
  ) throws(StoreError) -> StoredModel {
    try update(name, FetchCancellation(), report: report)
  }

  private func update(
    _ name: String, _ cancellation: FetchCancellation,
    report: @escaping (FetchProgress) -> Void
  ) throws(StoreError) -> StoredModel {
    let modelName = try ModelName(name)
    let model = try advising { () throws(StoreError) in
      try ModelUpdate(
        cache: cache, host: host.host, client: client(cancellation), options: options,
        report: report
      ).run(modelName)
    }
    cache.evictVersions(limit: options.sizeLimit, keeping: VersionKey(model))
    return model
  }

  private func client(_ cancellation: FetchCancellation) -> WebClient {
    WebClient(
      transport: transport, conditions: options.conditions, cancellation: cancellation,
      credentials: host.host.credentials)
  }

  // MARK: Local models

  /// Returns the local version of a model, without using the network.
  ///
  /// - Throws: `notDownloaded` if there is none, and `damaged` if its files are not intact.
  public func localModel(_ name: String) throws(StoreError) -> StoredModel {
    let modelName = try ModelName(name)
    if let model = local(name) { return model }
    throw cache.absence(of: modelName)
  }

  /// Like `localModel`, but does not fall back to the previous version if the current is damaged.
  package func newestLocalModel(_ name: String) throws(StoreError) -> StoredModel {
    let modelName = try ModelName(name)
    let model = local(name)
    let record = cache.record(of: modelName)
    if let model, record.current == nil || record.current?.version == model.version { return model }
    let error = cache.absence(of: modelName)
    throw model.map { error.adding("; until then version \($0.version) is used") } ?? error
  }

  /// Returns the current version, or the previous version if the current one is damaged.
  private func local(_ name: String) -> StoredModel? {
    guard let modelName = try? ModelName(name) else { return nil }
    let record = cache.record(of: modelName)
    for version in [record.current, record.previous].compactMap({ $0 }) {
      if let model = cache.open(version, of: name) { return model }
    }
    return nil
  }

  /// Returns all intact models on this machine, sorted by name.
  public func localModels() -> [StoredModel] {
    cache.records().compactMap { local($0.name) }
  }

  /// The error that keeps the records from being read; `nil` if there is none.
  package var obstacle: StoreError? {
    let inventory = cache.inventory()
    guard inventory.damaged.isEmpty else { return nil }
    return inventory.obstacle.map { StoreError($0).advised(for: options.folder) }
  }

  /// Returns the names of all models with a record, intact or damaged, sorted.
  package func recordedNames() -> [String] {
    let inventory = cache.inventory()
    return (inventory.records.map(\.name) + inventory.damaged).sorted()
  }

  /// Returns the names of all models that the host offers; `nil` if the host cannot list them.
  package func offeredNames() throws(StoreError) -> [String]? {
    let desk = HostContext(client: client(FetchCancellation()), documents: cache.documents)
    return try host.host.all(from: desk)?.entries.map(\.name.text)
  }

  // MARK: Removing

  /// Removes a model and its record from this machine; a missing model is not an error.
  ///
  /// A model that was the default no longer is.
  ///
  /// Models that are in use keep their files until they are released.
  public func remove(_ name: String) throws(StoreError) { try remove([name]) }

  /// Removes several models.
  ///
  /// - Returns: The error because of which their files stay; `nil` if they were removed.
  @discardableResult package func remove(_ names: [String]) throws(StoreError) -> StoreError? {
    var keys: [VersionKey] = []
    for name in names {
      let modelName = try ModelName(name)
      try advising { () throws(StoreError) in
        let lock = try cache.lock(.model(modelName), client(FetchCancellation())) {}
        defer { withExtendedLifetime(lock) {} }
        keys += cache.record(of: modelName).keys
        try cache.removeRecord(of: modelName)
      }
    }
    try forgetDefaults(names)
    return cache.removeUnreferenced(keys)?.advised(for: options.folder)
  }

  /// Runs `work`, and adds advice to its errors.
  private func advising<Result>(
    _ work: () throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    do throws(StoreError) { return try work() } catch { throw error.advised(for: options.folder) }
  }

  /// Goes back to the previous version, because the current one turned out to be bad.
  ///
  /// The rejected version is not fetched again.
  ///
  /// - Returns: The previous version; `nil` if there is none.
  @discardableResult public func reject(
    _ model: StoredModel, because reason: String
  ) throws(StoreError) -> StoredModel? {
    let name = try ModelName(model.name)
    let lock = try cache.lock(.model(name), client(FetchCancellation())) {}
    defer { withExtendedLifetime(lock) {} }
    var record = try cache.recordToChange(of: name)
    let key = VersionKey(model)
    let bad = [record.current, record.previous].compactMap { $0 }.first { $0.files.key == key }
    record.reject(bad?.identities ?? [key.text], version: model.version, because: reason)
    if record.previous?.files.key == key { record.previous = nil }
    if record.current?.files.key == key {
      record.current = record.previous
      record.previous = nil
    }
    try cache.write(record, of: name)
    return record.current.flatMap { cache.open($0, of: model.name) }
  }
}

extension VersionKey {
  /// Creates the key of the folder of a model's version.
  fileprivate init(_ model: StoredModel) {
    self =
      VersionKey(model.path.parentPath.lastPathComponent)
      ?? VersionKey(VersionFiles(sha256: model.sha256, byteCount: model.byteCount))
  }
}

extension Result where Success: Sendable {
  /// Captures the result of an asynchronous closure.
  fileprivate init(_ work: () async throws(Failure) -> Success) async {
    do throws(Failure) { self = .success(try await work()) } catch { self = .failure(error) }
  }
}
