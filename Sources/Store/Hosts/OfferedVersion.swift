import OcellusPlatform

/// A version of a model, as offered by a host.
struct OfferedVersion: Sendable {
  /// The name of the version at its host.
  let version: String
  let model: OfferedFile
  /// The file of class names, if it is separate from the model.
  var labels: OfferedFile?
  /// The share of machines that get this version, in percent; `nil` for all remaining machines.
  var rollout: Double?
  /// The minimum version of this library that can run the model.
  var minimumRuntime: RuntimeVersion?
  /// The host's validator of the contents, if the host provides no digest.
  var validator: String?

  var files: [OfferedFile] { [model] + (labels.map { [$0] } ?? []) }

  /// The size of all files together; `nil` if a size is unknown.
  var byteCount: Int? {
    var sum = 0
    for file in files {
      guard let count = file.byteCount else { return nil }
      // Hosts are not trusted: the sum may overflow.
      sum = sum.addingReportingOverflow(count).overflow ? .max : sum + count
    }
    return sum
  }

  /// The unique identity of the version: its digests, or else the host's validator.
  var identity: VersionIdentity? {
    if let files = pinnedFiles { return .contents(files.key) }
    return validator.map { .validator($0) }
  }

  /// The expected files; `nil` if the host does not provide all digests.
  var pinnedFiles: VersionFiles? {
    guard let digest = model.sha256 else { return nil }
    var pinned = VersionFiles(sha256: digest, byteCount: model.byteCount ?? 0)
    guard let labels else { return pinned }
    guard let digest = labels.sha256 else { return nil }
    pinned.labels = .init(name: labels.nameAsLabels, sha256: digest)
    return pinned
  }
}

/// A file of a version, and its location.
struct OfferedFile: Sendable {
  enum Place: Sendable {
    case web(WebAddress)
    case disk(path: String)
  }

  let place: Place
  /// The SHA-256 digest in lowercase hexadecimal digits; `nil` if the host provides none.
  let sha256: String?
  /// The size in bytes; `nil` if the host provides none.
  let byteCount: Int?
}

/// The unique identity of a version.
enum VersionIdentity: Hashable, Sendable {
  case contents(VersionKey)
  case validator(String)

  /// The identity as it is stored in records.
  var text: String {
    switch self {
    case .contents(let key): key.text
    case .validator(let validator): "validator \(validator)"
    }
  }
}

/// The digest of a version's files, which names their folder.
struct VersionKey: Hashable, Sendable {
  let text: String

  /// Creates the key: the digest of the model, or a digest of both digests if there are labels.
  init(_ files: VersionFiles) {
    guard let labels = files.labels else {
      text = files.sha256
      return
    }
    let parts = "\(files.sha256) \(labels.sha256) \(labels.name)"
    text = SHA256.hash(Array(parts.utf8)).hexadecimal
  }

  /// Creates a key from the text in a record or the name of a folder; `nil` unless it is a digest.
  init?(_ text: String) {
    guard Self.isDigest(text) else { return nil }
    self.text = text
  }

  /// Whether a text is a SHA-256 digest in lowercase hexadecimal digits.
  static func isDigest(_ text: String) -> Bool {
    text.utf8.count == 64
      && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
  }
}
