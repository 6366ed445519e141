import OcellusEngine
import OcellusPlatform

/// The update of one model: asks the host, fetches missing files, tests the new version, and
/// installs it.
struct ModelUpdate {
  let cache: ModelCache
  let host: any OfferingHost
  let client: WebClient
  let options: ModelStore.Options
  let report: (FetchProgress) -> Void

  /// Runs the update, and returns the version that this machine should use.
  func run(_ name: ModelName) throws(StoreError) -> StoredModel {
    let lock = try cache.lock(.model(name), client) { report(.waiting) }
    defer { withExtendedLifetime(lock) {} }
    var record = try cache.recordToChange(of: name)
    let held = record.current.flatMap { cache.open($0, of: name.text) }
    // If the local version is damaged, the host must not answer that nothing has changed.
    if held == nil { record.current = nil }
    report(.asking)
    let desk = HostContext(client: client, documents: cache.documents)
    let offered = try host.versions(of: name, after: record, from: desk)
    let chosen = try choose(from: offered ?? [], name, record, orKeep: held)
    guard let chosen, !isHeld(chosen, held, record) else {
      if let held { return held }
      throw StoreError(.notFound, "\(host) has no version of '\(name)' for this machine")
    }
    // Blocks eviction while there are files that are not in a record yet.
    let evictionLock = try cache.blockEviction(client)
    defer { withExtendedLifetime(evictionLock) {} }
    return try replace(&record, with: chosen, name, desk)
  }

  // MARK: Choosing a version

  /// Chooses the version for this machine; `nil` to keep the current version.
  private func choose(
    from offered: [OfferedVersion], _ name: ModelName, _ record: ModelRecord,
    orKeep held: StoredModel?
  ) throws(StoreError) -> OfferedVersion? {
    let usable = offered.filter { $0.minimumRuntime ?? .current <= .current }
    if usable.isEmpty, held == nil, let needed = offered.compactMap(\.minimumRuntime).min() {
      throw StoreError(
        .notFound,
        "'\(name)' needs version \(needed) of this library, which is \(RuntimeVersion.current)")
    }
    let bucket = RolloutBucket(key: options.rolloutKey ?? cache.machineKey(), model: name)
    guard let mine = bucket.version(of: usable) else { return nil }
    guard let rejection = record.rejection(of: mine) else { return mine }
    // If the version is rejected on this machine, the next older one is used.
    let older = usable.drop { $0.identity != mine.identity }.dropFirst()
    if let next = older.first(where: { record.rejection(of: $0) == nil }) { return next }
    guard held == nil else { return nil }
    throw StoreError(
      .unusable,
      "'\(name)' \(rejection.version) was tried and failed its self-test: \(rejection.reason); "
        + "removing the model makes the store try again")
  }

  private func isHeld(
    _ offered: OfferedVersion, _ held: StoredModel?, _ record: ModelRecord
  ) -> Bool {
    guard held != nil, let current = record.current else { return false }
    switch offered.identity {
    case .contents(let key): return key == current.files.key
    case .validator(let validator): return validator == current.validator
    case nil: return false
    }
  }

  // MARK: Replacing the version

  private func replace(
    _ record: inout ModelRecord, with chosen: OfferedVersion, _ name: ModelName, _ desk: HostContext
  ) throws(StoreError) -> StoredModel {
    let arrival = VersionInstallation(
      cache: cache, client: client, conditions: options.conditions, subject: "\(host)\n\(name)",
      report: report)
    let files: VersionFiles
    do throws(StoreError) { files = try arrival.files(of: chosen) } catch {
      guard error.status == 400, host.addressesExpire else { throw error }
      files = try arrival.files(of: try refreshedOffer(name, record, desk))
    }
    let version = ModelRecord.Version(
      version: chosen.version, files: files, validator: chosen.validator, host: "\(host)")
    let model = try tested(version, of: name, &record)
    if let current = record.current, current.files.key != files.key { record.previous = current }
    record.current = version
    try cache.write(record, of: name)
    return model
  }

  /// Asks the host for the version again, to get an address that is not expired.
  private func refreshedOffer(
    _ name: ModelName, _ record: ModelRecord, _ desk: HostContext
  ) throws(StoreError) -> OfferedVersion {
    var unknown = record
    unknown.current = nil
    let versions = try host.versions(of: name, after: unknown, from: desk)
    guard let fresh = versions?.first else {
      throw StoreError(.notFound, "\(host) offers '\(name)' no more")
    }
    return fresh
  }

  /// Opens and tests a version; if the test fails, rejects the version and throws.
  private func tested(
    _ version: ModelRecord.Version, of name: ModelName, _ record: inout ModelRecord
  ) throws(StoreError) -> StoredModel {
    guard let candidate = cache.open(version, of: name.text) else {
      let flaw = cache.flaw(of: version.files, in: cache.folder(of: version.files.key))
      throw StoreError(
        .fileFailed,
        "the store cannot be read back as it was written: \(flaw?.text ?? cache.root)")
    }
    report(.testing)
    do {
      try options.selfTest.run(candidate)
      return candidate
    } catch {
      let failure = StoreError(
        .unusable, "'\(name)' \(version.version) does not pass its test: \(error)")
      // A timeout may be due to a busy machine, and does not reject the version.
      if (error as? ModelError)?.kind != .deadlineExceeded {
        record.reject(version.identities, version: version.version, because: "\(error)".shortened)
        try cache.write(record, of: name)
      }
      throw failure
    }
  }
}

extension ModelRecord.Version {
  /// All identities under which a host may offer this version.
  var identities: [String] {
    [VersionIdentity.contents(files.key).text]
      + (validator.map { [VersionIdentity.validator($0).text] } ?? [])
  }
}
