import OcellusJSON
import OcellusPlatform

/// What a store knows of a model: which version is good, which was before, and which are not.
///
/// It is one small file, written whole or not at all; a model changes when its record does.
struct ModelRecord: Sendable {
  private static let format = 1

  /// A version that is in the store.
  struct Version: Sendable, Equatable {
    /// What its host calls it.
    let version: String
    let files: VersionFiles
    /// What its host called the contents, where it knows no digest.
    let validator: String?
    /// Where it came from.
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

  /// The versions that are to be kept.
  var keys: [VersionKey] { [current, previous].compactMap { $0?.files.key } }

  /// Why a version must not be tried again; `nil` if it may.
  func rejection(of offered: OfferedVersion) -> Rejection? {
    guard let identity = offered.identity?.text else { return nil }
    return rejected.first { $0.identity == identity }
  }

  /// Notes that a version is bad; the oldest such notes are given up in time.
  mutating func reject(_ identities: [String], version: String, because reason: String) {
    for identity in identities where !rejected.contains(where: { $0.identity == identity }) {
      rejected.append(.init(identity: identity, version: version, reason: reason))
    }
    rejected = rejected.suffix(32)
  }
}

/// The files of a version: their digests, which also say where they are.
struct VersionFiles: Sendable, Equatable {
  let sha256: String
  let byteCount: Int
  var labels: Labels?

  struct Labels: Sendable, Equatable {
    /// The name of the file beside the model.
    let name: String
    let sha256: String
  }

  var key: VersionKey { VersionKey(self) }
}

// MARK: As a file

extension ModelRecord {
  /// Reads a record; `nil` if it is none.
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
      // The record lies on a disk that others may write to: its names are checked like theirs.
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

/// What the labels of a model are called beside it: one of a few names, of which detectors and labelers know
/// how to read them.
enum LabelsFileName {
  private static let endings = ["pbtxt", "json", "csv", "yaml", "names"]
  private static let plain = "model.labels.txt"

  /// The name for a file that is called so where it comes from.
  static func name(for source: String) -> String {
    endings.first { source.lowercased().hasSuffix(".\($0)") }.map { "model.\($0)" } ?? plain
  }

  /// Whether this is one of the names.
  static func isOne(_ name: String) -> Bool {
    name == plain || endings.contains { name == "model.\($0)" }
  }
}
