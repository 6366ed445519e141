import OcellusPlatform

/// Checks of the files on the disk, with descriptions of the damage for error messages.
extension ModelCache {
  /// A flaw that keeps a version from being used.
  struct Flaw {
    /// A description, with the path of the file or folder.
    let text: String
    /// Whether the system denies access, in which case the file itself may be intact.
    var isForbidden = false
  }

  // MARK: Files

  /// Returns the first flaw in the files of a version; `nil` if there is none.
  func flaw(of files: VersionFiles, in folder: String) -> Flaw? {
    let model = "\(folder)/\(Self.modelFile)"
    if let flaw = flaw(ofFile: model, sha256: files.sha256, byteCount: files.byteCount) {
      return flaw
    }
    guard let labels = files.labels else { return nil }
    return flaw(ofFile: "\(folder)/\(labels.name)", sha256: labels.sha256, byteCount: nil)
  }

  private func flaw(ofFile path: String, sha256: String, byteCount: Int?) -> Flaw? {
    do throws(FileError) {
      let (kind, count) = try OpenFile(reading: path, waiting: false).status()
      guard kind == .file else { return Flaw(text: "\(path) is not a file") }
      if let byteCount, count != byteCount {
        return Flaw(text: "\(path) has \(count) bytes and not \(byteCount)")
      }
      let digest = try FileSystem.sha256(of: path)
      if digest == sha256 { return nil }
      return Flaw(text: "\(path) has the SHA-256 digest \(digest) and not \(sha256)")
    } catch {
      return Flaw(
        text: error.description,
        isForbidden: [.system(EACCES), .system(EPERM), .system(EMFILE), .system(ENFILE)]
          .contains(error.problem))
    }
  }

  // MARK: Models

  /// Returns an error that tells why the model cannot be used, and how to repair that.
  func absence(of name: ModelName) -> StoreError {
    switch state(of: name) {
    case .missing:
      StoreError(.notDownloaded, "the model '\(name)' is not in the store, the folder \(root)")
    case .damaged(let path):
      damage(name, "\(path) is not the record of this model", nil)
    case .unreadable(let error):
      StoreError(error).adding("; without this file the model '\(name)' cannot be used")
        .advised(for: root)
    case .good(let record): absence(of: name, record)
    }
  }

  private func absence(of name: ModelName, _ record: ModelRecord) -> StoreError {
    if let version = record.current ?? record.previous {
      let folder = folder(of: version.files.key)
      guard let flaw = flaw(of: version.files, in: folder) else {
        return StoreError(.busy, "the model '\(name)' is just being removed from \(folder)")
      }
      guard flaw.isForbidden else { return damage(name, flaw.text, version) }
      return StoreError(
        .fileFailed,
        "the stored model '\(name)', version \(version.version), cannot be read: \(flaw.text)")
    }
    let reason = record.rejected.last.map { bad in
      ": version \(bad.version) was tried and failed its self-test: \(bad.reason)"
    }
    return StoreError(
      .notDownloaded,
      "there is no version of the model '\(name)' in the store \(root)\(reason ?? "")")
  }

  private func damage(
    _ name: ModelName, _ flaw: String, _ version: ModelRecord.Version?
  ) -> StoreError {
    let subject = version.map { "'\(name)', version \($0.version)," } ?? "'\(name)'"
    let command = version == nil ? PullCommand(name: name).text : version?.pullCommand(name)
    let mend = command.map { "'\($0)'" } ?? "fetching it again from its host"
    return StoreError(
      .damaged, "the stored model \(subject) is damaged: \(flaw); \(mend) mends it")
  }
}

/// The shell command that fetches a model again.
struct PullCommand {
  let name: ModelName
  /// The options and their values.
  var options: [String] = []

  /// The command line.
  var text: String {
    (["ocellus", "models", "pull", name.text] + options).map(\.shellQuoted).joined(separator: " ")
  }
}

extension ModelRecord.Version {
  /// Returns the command that fetches this version again, as far as its record tells.
  ///
  /// `nil` for hosts that the command line does not support.
  fileprivate func pullCommand(_ name: ModelName) -> String? {
    if host == CatalogHost.name || host.isEmpty { return PullCommand(name: name).text }
    // The description of a Firebase project is not a host of the command line.
    guard !host.contains(", project ") else { return nil }
    // The version of a pinned file is the beginning of its digest; a manifest is a JSON file.
    let isPinned =
      host.contains("://") && !host.hasSuffix(".json") && files.sha256.hasPrefix(version)
    let digest = isPinned ? ["--sha256", files.sha256] : []
    return PullCommand(name: name, options: ["--from", host] + digest).text
  }
}

extension String {
  /// The text quoted as one word of a shell command.
  fileprivate var shellQuoted: String {
    let isPlain = utf8.allSatisfy { $0.isLetter || $0.isDigit || "-_./:@%+=,".utf8.contains($0) }
    if isPlain, !isEmpty { return self }
    return "\"" + flatMap { "\"\\$`!".contains($0) ? "\\\($0)" : "\($0)" } + "\""
  }
}
