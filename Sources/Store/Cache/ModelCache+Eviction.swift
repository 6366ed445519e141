import OcellusPlatform

/// Eviction: removes the versions that were not used for the longest time.
extension ModelCache {
  /// The age, in nanoseconds, at which a partial download is abandoned: one day.
  private static let patience = 24 * 3600 * 1_000_000_000

  /// Evicts versions until all together have at most `limit` bytes.
  ///
  /// Versions that no record refers to are evicted first, then previous versions, which are kept in
  /// case the current one is bad, then current versions; within each class, the least recently used
  /// first. Versions in use stay. Nothing is evicted while a fetch is in progress.
  func evictVersions(limit: Int, keeping kept: VersionKey?) {
    guard let lock = tryLockEviction() else { return }
    defer { withExtendedLifetime(lock) {} }
    removeAbandoned()
    let inventory = inventory()
    // If a record cannot be read, its versions would look unreferenced.
    guard inventory.obstacle == nil else { return }
    var found = foundVersions(keeping: kept, inventory.records)
    var total = found.reduce(kept.map { byteCount(of: $0) } ?? 0) { $0 + $1.byteCount }
    found.sort { ($0.rank, $0.lastUse) < ($1.rank, $1.lastUse) }
    // A damaged record may have referred to them; once it is repaired, they need not be fetched
    // again.
    let isUnnamedWorthless = inventory.damaged.isEmpty
    for version in found where total > limit || version.rank == .unnamed && isUnnamedWorthless {
      if remove(version.key) { total -= version.byteCount }
    }
  }

  /// Removes those of the given versions that no record refers to any more.
  ///
  /// A fetch in progress blocks the removal, because its files are not in a record yet; the next
  /// eviction then removes the versions. Returns an error if an unreadable record may refer to the
  /// versions, which then stay.
  func removeUnreferenced(_ keys: [VersionKey]) -> StoreError? {
    guard let lock = tryLockEviction() else { return nil }
    defer { withExtendedLifetime(lock) {} }
    let inventory = inventory()
    // A version stays if another record refers to it, or if an unreadable record may do so.
    if let doubt = inventory.doubt { return keys.isEmpty ? nil : doubt }
    let others = Set(inventory.records.flatMap(\.keys))
    for key in keys where !others.contains(key) { remove(key) }
    return nil
  }

  private struct FoundVersion {
    enum Rank: Int, Comparable {
      case unnamed, previous, current

      static func < (first: Rank, second: Rank) -> Bool { first.rawValue < second.rawValue }
    }

    let key: VersionKey
    let byteCount: Int
    let lastUse: Int
    let rank: Rank
  }

  private func foundVersions(
    keeping kept: VersionKey?, _ records: [ModelRecord]
  ) -> [FoundVersion] {
    let current = Set(records.compactMap { $0.current?.files.key })
    let previous = Set(records.compactMap { $0.previous?.files.key })
    return ((try? FileSystem.entries(of: versions)) ?? []).compactMap { name in
      guard let key = VersionKey(name), key != kept else { return nil }
      return FoundVersion(
        key: key, byteCount: byteCount(of: key), lastUse: FileSystem.lastUse(of: folder(of: key)),
        rank: current.contains(key) ? .current : previous.contains(key) ? .previous : .unnamed)
    }
  }

  private func byteCount(of key: VersionKey) -> Int {
    let names = (try? FileSystem.entries(of: folder(of: key))) ?? []
    return names.reduce(0) { $0 + (FileSystem.byteCount(of: "\(folder(of: key))/\($1)") ?? 0) }
  }

  /// Removes a version that is not in use; returns whether it is gone.
  @discardableResult func remove(_ key: VersionKey) -> Bool {
    guard let folder = try? OpenFile(folder: folder(of: key)),
      (try? folder.tryLock(.exclusive)) == true
    else { return false }
    defer { withExtendedLifetime(folder) {} }
    return (try? discard(key)) != nil
  }

  /// Removes a version even if it is in use, for a damaged one.
  func discard(_ key: VersionKey) throws(FileError) {
    // Renamed first, so that the version disappears in one step.
    let number = String(UInt64.random(in: 0...(.max)), radix: 36)
    let trash = "\(incoming)/trash-\(number)"
    try FileSystem.createDirectory(incoming)
    try FileSystem.rename(folder(of: key), to: trash)
    try? FileSystem.remove(trash)
  }

  /// Removes what killed processes left behind.
  private func removeAbandoned() {
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    let limit = Int(now.tv_sec) * 1_000_000_000 - Self.patience
    for name in (try? FileSystem.entries(of: incoming)) ?? [] {
      let path = "\(incoming)/\(name)"
      let isOld = VersionKey.isDigest(name) && FileSystem.lastUse(of: path) < limit
      // Files with other names do not belong to the store.
      guard name.hasPrefix("trash-") || isOld else { continue }
      try? FileSystem.remove(path)
    }
    // No process waits for a download's lock now, because a fetch in progress blocks the eviction.
    for name in (try? FileSystem.entries(of: locks)) ?? [] where Subject.isDownload(name) {
      try? FileSystem.remove("\(locks)/\(name)")
    }
  }
}

extension ModelCache.Inventory {
  /// The error if it is unknown which versions have a record; `nil` if that is known.
  fileprivate var doubt: StoreError? {
    if damaged.isEmpty {
      return obstacle.map { StoreError($0).adding("; what was fetched stays until it can be read") }
    }
    let names = damaged.map { "'\($0)'" }.joined(separator: ", ")
    return StoreError(
      .damaged,
      "fetched files are kept, since damaged records of other models may name them: \(names);"
        + " pull or remove these models to repair their records")
  }
}
