import OcellusJSON
import OcellusPlatform

/// The record of a model in a store: its current, its previous and its rejected versions.
///
/// A record is one small file that is replaced atomically; replacing it is what changes the model.
struct ModelRecord: Sendable {
  private static let format = 1

  /// An installed version.
  struct Version: Sendable, Equatable {
    /// The name of the version at its host.
    let version: String
    let files: VersionFiles
    /// The host's validator of the contents, if the host provides no digest.
    let validator: String?
    /// The description of the host that the version came from.
    let host: String
  }

  /// A version that must not be tried again.
  struct Rejection: Sendable, Equatable {
    let identity: String
    let version: String
    let reason: String
  }

  let name: String
  var current: Version?
  var previous: Version?
  var rejected: [Rejection] = []

  init(name: String) { self.name = name }

  /// The keys of the versions that must be kept.
  var keys: [VersionKey] { [current, previous].compactMap { $0?.files.key } }

  /// Returns the rejection of an offered version; `nil` if it may be tried.
  func rejection(of offered: OfferedVersion) -> Rejection? {
    guard let identity = offered.identity?.text else { return nil }
    return rejected.first { $0.identity == identity }
  }

  /// Rejects a version under all its identities; only the latest 32 rejections are kept.
  mutating func reject(_ identities: [String], version: String, because reason: String) {
    for identity in identities where !rejected.contains(where: { $0.identity == identity }) {
      rejected.append(.init(identity: identity, version: version, reason: reason))
    }
    rejected = rejected.suffix(32)
  }
}

/// The files of a version: their digests, from which their folder follows.
struct VersionFiles: Sendable, Equatable {
  let sha256: String
  let byteCount: Int
  var labels: Labels?

  struct Labels: Sendable, Equatable {
    /// The name of the file, which lies next to the model.
    let name: String
    let sha256: String
  }

  var key: VersionKey { VersionKey(self) }
}

// MARK: Serialization

extension ModelRecord {
  /// Parses a record; `nil` if the bytes are not a record.
  init?(_ bytes: [UInt8]) {
    guard let object = (try? JSONParser.parse(bytes))?.object,
      object["format"]?.integer == Self.format, let name = object["name"]?.string
    else { return nil }
    self.init(name: name)
    current = object["current"].flatMap(Version.init)
    previous = object["previous"].flatMap(Version.init)
    rejected = (object["rejected"]?.array ?? []).compactMap(Rejection.init)
  }

  var document: JSONValue {
    [
      "format": .integer(Self.format), "name": .string(name),
      "current": current?.document ?? .null, "previous": previous?.document ?? .null,
      "rejected": .array(rejected.map(\.document)),
    ]
  }
}

extension ModelRecord.Version {
  fileprivate init?(_ value: JSONValue) {
    guard let object = value.object, let version = object["version"]?.string,
      let digest = object["sha256"]?.string, VersionKey.isDigest(digest),
      let byteCount = object["bytes"]?.integer
    else { return nil }
    var files = VersionFiles(sha256: digest, byteCount: byteCount)
    if let labels = object["labels"]?.object {
      // Others may write to this disk, so the names in a record are checked like those of a
      // manifest.
      guard let name = labels["name"]?.string, LabelsFileName.isOne(name),
        let digest = labels["sha256"]?.string, VersionKey.isDigest(digest)
      else { return nil }
      files.labels = .init(name: name, sha256: digest)
    }
    self.init(
      version: version, files: files,
      validator: object["validator"]?.string.flatMap { Validator.isOne($0) ? $0 : nil },
      host: object["host"]?.string ?? "")
  }

  fileprivate var document: JSONValue {
    [
      "version": .string(version), "sha256": .string(files.sha256),
      "bytes": .integer(files.byteCount),
      "labels": files.labels.map { ["name": .string($0.name), "sha256": .string($0.sha256)] }
        ?? .null,
      "validator": .string(orNull: validator), "host": .string(host),
    ]
  }
}

extension ModelRecord.Rejection {
  fileprivate init?(_ value: JSONValue) {
    guard let object = value.object, let identity = object["identity"]?.string,
      let version = object["version"]?.string, let reason = object["reason"]?.string
    else { return nil }
    self.init(identity: identity, version: version, reason: reason)
  }

  fileprivate var document: JSONValue {
    ["identity": .string(identity), "version": .string(version), "reason": .string(reason)]
  }
}

/// The possible names of a labels file next to its model.
///
/// The ending tells detectors and labelers how to parse the file.
enum LabelsFileName {
  private static let endings = ["pbtxt", "json", "csv", "yaml", "names"]
  private static let plain = "model.labels.txt"

  /// Returns the name under which a labels file with the name `source` is stored.
  static func name(for source: String) -> String {
    endings.first { source.lowercased().hasSuffix(".\($0)") }.map { "model.\($0)" } ?? plain
  }

  /// Whether this is one of the possible names.
  static func isOne(_ name: String) -> Bool {
    name == plain || endings.contains { name == "model.\($0)" }
  }
}
