import OcellusPlatform

/// The installation of a version's files: fetched or copied, verified, and published atomically.
struct VersionInstallation {
  let cache: ModelCache
  let client: WebClient
  let conditions: FetchConditions
  /// The host and the model, as one text.
  let subject: String
  let report: (FetchProgress) -> Void

  /// Installs the files of a version, and returns them.
  func files(of offered: OfferedVersion) throws(StoreError) -> VersionFiles {
    let id = id(of: offered)
    // Two models may share the same file.
    let lock = try cache.lock(.download(id: id), client) { report(.waiting) }
    defer { withExtendedLifetime(lock) {} }
    if let there = filesThere(offered) { return there }
    try check(offered)
    let folder = "\(cache.incoming)/\(id)"
    do throws(StoreError) {
      try inStore { () throws(FileError) in
        // Anything else with this name is removed; the target of a link does not belong to the
        // store.
        let isOurs = FileSystem.isDirectory(folder) && !FileSystem.isLink(folder)
        if !isOurs { try FileSystem.remove(folder) }
        try FileSystem.createDirectory(folder)
      }
      let files = try fetch(offered, into: folder)
      try publish(files, from: folder)
      return files
    } catch {
      // Makes space for others; a damaged file is not worth resuming.
      if [.noSpace, .damaged, .tooLarge].contains(error.kind) { try? FileSystem.remove(folder) }
      throw error
    }
  }

  /// Returns the name of the folder for partial downloads; stable, so that a later fetch can
  /// resume.
  private func id(of offered: OfferedVersion) -> String {
    switch offered.identity {
    case .contents(let key): key.text
    // Two models with the same validator are different files.
    case .validator(let validator):
      SHA256.hash(Array("\(subject)\n\(validator)".utf8)).hexadecimal
    case nil: SHA256.hash(Array("\(subject)\n\(offered.version)".utf8)).hexadecimal
    }
  }

  /// Returns the files if they are installed already, possibly for another model.
  private func filesThere(_ offered: OfferedVersion) -> VersionFiles? {
    guard let pinned = offered.pinnedFiles else { return nil }
    let folder = cache.folder(of: pinned.key)
    guard let byteCount = FileSystem.byteCount(of: "\(folder)/\(ModelCache.modelFile)") else {
      return nil
    }
    let files = VersionFiles(sha256: pinned.sha256, byteCount: byteCount, labels: pinned.labels)
    return cache.isWhole(files, in: folder) ? files : nil
  }

  private func check(_ offered: OfferedVersion) throws(StoreError) {
    if let byteCount = offered.byteCount, byteCount > conditions.maximumBytes {
      throw StoreError(
        .tooLarge,
        "version \(offered.version) has \(byteCount) bytes; \(conditions.maximumBytes) are allowed")
    }
    guard conditions.allowsDownload(offered.byteCount) else {
      throw StoreError(.notAllowed, "the conditions do not allow to download now")
    }
  }

  // MARK: Fetching

  private func fetch(
    _ offered: OfferedVersion, into folder: String
  ) throws(StoreError) -> VersionFiles {
    let total = offered.byteCount
    let model = "\(folder)/\(ModelCache.modelFile)"
    let digest = try obtain(offered.model, at: model) { received in
      report(.downloading(received: received, total: total))
    }
    let byteCount = FileSystem.byteCount(of: model) ?? 0
    var files = VersionFiles(sha256: digest, byteCount: byteCount)
    if let labels = offered.labels {
      let name = labels.nameAsLabels
      let digest = try obtain(labels, at: "\(folder)/\(name)") { received in
        report(.downloading(received: byteCount + received, total: total))
      }
      files.labels = .init(name: name, sha256: digest)
    }
    return files
  }

  /// Fetches or copies one file to its path; returns its digest.
  private func obtain(
    _ file: OfferedFile, at path: String, progress: @escaping (Int) -> Void
  ) throws(StoreError) -> String {
    switch file.place {
    case .web(let address):
      return try FileDownload(
        client: client, address: address, path: path, sha256: file.sha256,
        byteCount: file.byteCount, limit: conditions.maximumBytes
      ) { received, _ in progress(received) }.run()
    case .disk(let source):
      try inStore { () throws(FileError) in try copy(source, to: path) }
      let digest = try inStore { () throws(FileError) in try FileSystem.sha256(of: path) }
      guard digest == file.sha256 ?? digest else {
        try? FileSystem.remove(path)
        throw StoreError(.damaged, "\(source): the file is not the one that its manifest offers")
      }
      return digest
    }
  }

  private func copy(_ source: String, to path: String) throws(FileError) {
    let input = try OpenFile(reading: source, waiting: false)
    if FileSystem.byteCount(of: path) == nil || FileSystem.isLink(path) {
      try FileSystem.remove(path)
    }
    let output = try OpenFile(appendingTo: path)
    try output.cut()
    try output.copyContents(of: input)
    try output.synchronize()
  }

  /// Makes a folder with complete files available as a version.
  private func publish(_ files: VersionFiles, from folder: String) throws(StoreError) {
    let target = cache.folder(of: files.key)
    let wanted = [ModelCache.modelFile] + (files.labels.map { [$0.name] } ?? [])
    try inStore { () throws(FileError) in
      // Removes the validators of partial downloads.
      for name in try FileSystem.entries(of: folder) where !wanted.contains(name) {
        try FileSystem.remove("\(folder)/\(name)")
      }
      try OpenFile(folder: folder).synchronize()
      try FileSystem.createDirectory(cache.versions)
    }
    if FileSystem.isDirectory(target), cache.isWhole(files, in: target) {
      return try inStore { () throws(FileError) in try FileSystem.remove(folder) }
    }
    // The target is missing or damaged, so no user can rely on it.
    try? cache.discard(files.key)
    try inStore { () throws(FileError) in try FileSystem.rename(folder, to: target) }
  }
}

extension OfferedFile {
  /// The name of this file next to its model, if it is a labels file.
  var nameAsLabels: String {
    switch place {
    case .web(let address): LabelsFileName.name(for: String(address.target.prefix { $0 != "?" }))
    case .disk(let path): LabelsFileName.name(for: path)
    }
  }
}
