import OcellusPlatform

/// Models from elsewhere, kept on this machine: fetched when they are needed, updated without a new release of
/// the program, and checked before they are used.
///
/// A store is a folder. Any number of stores, also of other programs, can share it at the same time; a folder
/// that cannot be written to can still be read. A new version takes the place of the one before when its
/// digest is right and it has passed a test, in one step: whatever ends the program, there is the one or the
/// other.
public final class ModelStore: Sendable {
  /// How a store works.
  public struct Options: Sendable {
    /// The folder; the standard one is what the environment variable `OCELLUS_STORE` says, or
    /// `ocellus/models` where the user's caches are.
    public var folder: String
    /// When and how long the network is used.
    public var conditions = FetchConditions()
    /// What a new version has to do before it counts.
    public var selfTest = ModelSelfTest.runs()
    /// What decides about staged rollouts: who has the same key gets the same version.
    ///
    /// `nil` is a random one that the folder keeps.
    public var rolloutKey: String?
    /// How many bytes the folder may have; beyond that goes what was not used for the longest time.
    public var sizeLimit = 8 << 30

    /// The standard options.
    public init(folder: String = ModelStore.standardFolder) {
      self.folder = folder
    }
  }

  /// Where models come from.
  public let host: ModelHost
  /// How the store works.
  public let options: Options
  private let transport: any ModelTransport
  private var cache: ModelCache { ModelCache(root: options.folder) }

  /// A store of the models of a host.
  public init(
    _ host: ModelHost, transport: any ModelTransport = CurlTransport(),
    options: Options = Options()
  ) {
    self.host = host
    self.transport = transport
    self.options = options
  }

  /// The folder of stores that are given no other.
  public static var standardFolder: String {
    if let folder = ProcessEnvironment.value(of: "OCELLUS_STORE") { return folder }
    let caches =
      ProcessEnvironment.value(of: "XDG_CACHE_HOME")
      ?? (ProcessEnvironment.value(of: "HOME") ?? "/tmp") + "/.cache"
    return caches + "/ocellus/models"
  }

  // MARK: Fetching

  /// The model of a name, by the policy; waits for the network where that says so.
  ///
  /// Cancelling the task ends the fetch, as long as this waits for it.
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

  /// Begins to fetch a model; see what is returned for its progress.
  public func fetch(_ name: String, policy: FetchPolicy = .localThenUpdate) -> ModelFetch {
    ModelFetch(
      local: { policy == .localThenUpdate ? self.local(name) : nil },
      update: { cancellation, report throws(StoreError) in
        if policy == .localOnly { return try self.localModel(name) }
        return try self.update(name, cancellation, report: report)
      })
  }

  /// Brings a model up to date, and waits for it on this thread.
  package func update(
    _ name: String, report: (FetchProgress) -> Void = { _ in }
  ) throws(StoreError) -> StoredModel {
    try update(name, FetchCancellation(), report: report)
  }

  private func update(
    _ name: String, _ cancellation: FetchCancellation, report: (FetchProgress) -> Void
  ) throws(StoreError) -> StoredModel {
    let modelName = try ModelName(name)
    let result = withoutActuallyEscaping(report) { report in
      Result { () throws(StoreError) in
        try ModelUpdate(
          cache: cache, host: host.host, client: client(cancellation), options: options,
          report: report
        ).run(modelName)
      }
    }
    let model = try advising { () throws(StoreError) in try result.get() }
    cache.makeRoom(limit: options.sizeLimit, keeping: VersionKey(model))
    return model
  }

  private func client(_ cancellation: FetchCancellation) -> WebClient {
    WebClient(
      transport: transport, conditions: options.conditions, cancellation: cancellation,
      credentials: host.host.credentials)
  }

  // MARK: What is here

  /// The model of a name as it is on this machine, without the network.
  ///
  /// - Throws: `notDownloaded` if it is not, and `damaged` if its files are not what was fetched.
  public func localModel(_ name: String) throws(StoreError) -> StoredModel {
    let modelName = try ModelName(name)
    if let model = local(name) { return model }
    throw cache.absence(of: modelName)
  }

  /// The same, but for a model whose newest version is damaged the one before does not stand in.
  package func newestLocalModel(_ name: String) throws(StoreError) -> StoredModel {
    let modelName = try ModelName(name)
    let model = local(name)
    let record = cache.record(of: modelName)
    if let model, record.current == nil || record.current?.version == model.version { return model }
    let error = cache.absence(of: modelName)
    throw model.map { error.adding("; until then version \($0.version) is used") } ?? error
  }

  /// The good version, or where that is damaged the one before.
  private func local(_ name: String) -> StoredModel? {
    guard let modelName = try? ModelName(name) else { return nil }
    let record = cache.record(of: modelName)
    for version in [record.current, record.previous].compactMap({ $0 }) {
      if let model = cache.open(version, of: name) { return model }
    }
    return nil
  }

  /// All models on this machine that are whole, in the order of their names.
  public func localModels() -> [StoredModel] {
    cache.records().compactMap { local($0.name) }
  }

  /// Why it is not known what is on this machine; `nil` where it is.
  package var obstacle: StoreError? {
    let inventory = cache.inventory()
    guard inventory.damaged.isEmpty else { return nil }
    return inventory.obstacle.map { StoreError($0).advised(for: options.folder) }
  }

  /// The names of all models that were fetched to this machine, whole or damaged, in their order.
  package func recordedNames() -> [String] {
    let inventory = cache.inventory()
    return (inventory.records.map(\.name) + inventory.damaged).sorted()
  }

  /// The names of all models that the host offers; `nil` for a host that only answers to names.
  package func offeredNames() throws(StoreError) -> [String]? {
    let desk = HostDesk(client: client(FetchCancellation()), documents: cache.documents)
    return try host.host.all(from: desk)?.entries.map(\.name.text)
  }

  // MARK: Changing

  /// Takes a model away from this machine, with all that is known about it; what is not there is no error.
  ///
  /// Those who use it keep it until they are done.
  public func remove(_ name: String) throws(StoreError) { try remove([name]) }

  /// Takes away several models.
  ///
  /// - Returns: why their files stay, which no other model has; `nil` where they go.
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
    return cache.removeUnnamed(keys)?.advised(for: options.folder)
  }

  /// Does something with the store, whose errors say what to do about what is in the way.
  private func advising<Result>(
    _ work: () throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    do throws(StoreError) { return try work() } catch { throw error.advised(for: options.folder) }
  }

  /// Goes back to the version before, because the present one turned out to be bad: it is not fetched again.
  ///
  /// - Returns: the version before; `nil` where there is none.
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
  /// The key of a version's folder.
  fileprivate init(_ model: StoredModel) {
    self =
      VersionKey(model.path.parentPath.lastPathComponent)
      ?? VersionKey(VersionFiles(sha256: model.sha256, byteCount: model.byteCount))
  }
}

extension Result where Success: Sendable {
  /// The result of work that may wait.
  fileprivate init(_ work: () async throws(Failure) -> Success) async {
    do throws(Failure) { self = .success(try await work()) } catch { self = .failure(error) }
  }
}
