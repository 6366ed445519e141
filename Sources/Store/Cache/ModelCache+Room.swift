import OcellusPlatform

/// Room for other models: what was not used for the longest time goes.
extension ModelCache {
  /// Beginnings of files that nobody went on with for a day are not worth their place.
  private static let patience = 24 * 3600 * 1_000_000_000

  /// Removes versions until all together have at most `limit` bytes.
  ///
  /// Those that no record names go first, then those that are kept in case the newer one is bad, then the
  /// others; each kind by its last use. What somebody uses stays, and so does everything while somebody gets
  /// files.
  func makeRoom(limit: Int, keeping kept: VersionKey?) {
    guard let lock = lockRoomAlone() else { return }
    defer { withExtendedLifetime(lock) {} }
    removeAbandoned()
    let inventory = inventory()
    // Versions of records that just cannot be read would be taken for those of nobody.
    guard inventory.obstacle == nil else { return }
    var found = foundVersions(keeping: kept, inventory.records)
    var total = found.reduce(kept.map { byteCount(of: $0) } ?? 0) { $0 + $1.byteCount }
    found.sort { ($0.rank, $0.lastUse) < ($1.rank, $1.lastUse) }
    // A damaged record may have named them: when it is mended, they need not be fetched again.
    let isUnnamedWorthless = inventory.damaged.isEmpty
    for version in found where total > limit || version.rank == .unnamed && isUnnamedWorthless {
      if remove(version.key) { total -= version.byteCount }
    }
  }

  /// Removes those of some versions that no record names any more; why all of them stay, where that is not known.
  ///
  /// Whoever gets files has the room until a record names them. While somebody does these versions stay, and
  /// whoever makes room next finds them.
  func removeUnnamed(_ keys: [VersionKey]) -> StoreError? {
    guard let lock = lockRoomAlone() else { return nil }
    defer { withExtendedLifetime(lock) {} }
    let inventory = inventory()
    // What other records name stays, also what those may name that cannot be read.
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

  /// Removes a version that nobody uses; whether it is gone.
  @discardableResult func remove(_ key: VersionKey) -> Bool {
    guard let folder = try? OpenFile(folder: folder(of: key)),
      (try? folder.tryLock(.exclusive)) == true
    else { return false }
    defer { withExtendedLifetime(folder) {} }
    return (try? discard(key)) != nil
  }

  /// Removes a version, whoever uses it: for one that is damaged.
  func discard(_ key: VersionKey) throws(FileError) {
    // Away at once: half a version is none.
    let number = String(UInt64.random(in: 0...(.max)), radix: 36)
    let trash = "\(incoming)/trash-\(number)"
    try FileSystem.createDirectory(incoming)
    try FileSystem.rename(folder(of: key), to: trash)
    try? FileSystem.remove(trash)
  }

  /// Removes what was left by those who were killed.
  private func removeAbandoned() {
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    let limit = Int(now.tv_sec) * 1_000_000_000 - Self.patience
    for name in (try? FileSystem.entries(of: incoming)) ?? [] {
      let path = "\(incoming)/\(name)"
      let isOld = VersionKey.isDigest(name) && FileSystem.lastUse(of: path) < limit
      // Files of other names are not the store's.
      guard name.hasPrefix("trash-") || isOld else { continue }
      try? FileSystem.remove(path)
    }
    // Nobody waits for these: who does so keeps others from making room.
    for name in (try? FileSystem.entries(of: locks)) ?? [] where Subject.isDownload(name) {
      try? FileSystem.remove("\(locks)/\(name)")
    }
  }
}

extension ModelCache.Inventory {
  /// Why it is not known which versions have a name; `nil` where it is.
  fileprivate var doubt: StoreError? {
    if damaged.isEmpty {
      return obstacle.map { StoreError($0).adding("; what was fetched stays until it can be read") }
    }
    let names = damaged.map { "'\($0)'" }.joined(separator: ", ")
    return StoreError(
      .damaged,
      "what was fetched stays, since the damaged records of other models may name it: \(names); "
        + "to pull or remove these models mends that")
  }
}
