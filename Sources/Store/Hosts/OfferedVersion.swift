import OcellusPlatform

/// A version of a model as a host offers it.
struct OfferedVersion: Sendable {
  /// What its host calls it.
  let version: String
  let model: OfferedFile
  /// The names of its classes, where they are a file of their own.
  var labels: OfferedFile?
  /// The part of all who ask that gets this version, in percent; `nil`: everybody whom none before took.
  var rollout: Double?
  /// The first version of this library that can run it.
  var minimumRuntime: RuntimeVersion?
  /// What the host calls the contents where it knows no digest.
  var validator: String?

  var files: [OfferedFile] { [model] + (labels.map { [$0] } ?? []) }

  /// How many bytes all files have, where that was said.
  var byteCount: Int? {
    var sum = 0
    for file in files {
      guard let count = file.byteCount else { return nil }
      // Hosts say what they want: two lengths may be more than a number can hold.
      sum = sum.addingReportingOverflow(count).overflow ? .max : sum + count
    }
    return sum
  }

  /// What tells it from all others: the digests of its files, or what its host says of it.
  var identity: VersionIdentity? {
    if let files = pinnedFiles { return .contents(files.key) }
    return validator.map { .validator($0) }
  }

  /// The files that these must turn out to be; `nil` where the host does not know all their digests.
  var pinnedFiles: VersionFiles? {
    guard let digest = model.sha256 else { return nil }
    var pinned = VersionFiles(sha256: digest, byteCount: model.byteCount ?? 0)
    guard let labels else { return pinned }
    guard let digest = labels.sha256 else { return nil }
    pinned.labels = .init(name: labels.nameAsLabels, sha256: digest)
    return pinned
  }
}

/// A file of a version, and where it is.
struct OfferedFile: Sendable {
  enum Place: Sendable {
    case web(WebAddress)
    case disk(path: String)
  }

  let place: Place
  /// Its digest in small hexadecimal digits; `nil` where the host knows none.
  let sha256: String?
  /// Its length; `nil` where the host knows none.
  let byteCount: Int?
}

/// What tells a version from all others.
enum VersionIdentity: Hashable, Sendable {
  case contents(VersionKey)
  case validator(String)

  /// As records keep it.
  var text: String {
    switch self {
    case .contents(let key): key.text
    case .validator(let validator): "validator \(validator)"
    }
  }
}

/// The digest of the files of a version, under which they are kept.
struct VersionKey: Hashable, Sendable {
  let text: String

  /// The digest of the model, or one of those of the model and its labels.
  init(_ files: VersionFiles) {
    guard let labels = files.labels else {
      text = files.sha256
      return
    }
    let parts = "\(files.sha256) \(labels.sha256) \(labels.name)"
    text = SHA256.hash(Array(parts.utf8)).hexadecimal
  }

  /// The key that a record or a folder says; `nil` for anything but a digest.
  init?(_ text: String) {
    guard Self.isDigest(text) else { return nil }
    self.text = text
  }

  /// Whether a text is a SHA-256 digest in small hexadecimal digits.
  static func isDigest(_ text: String) -> Bool {
    text.utf8.count == 64
      && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
  }
}
