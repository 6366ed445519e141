package import OcellusJSON
import OcellusPlatform

/// The models in a folder, found by their file names.
///
/// A model is `NAME.tflite`, or `NAME@VERSION.tflite` if it has several versions. Its labels are in
/// a file with the same stem and the ending `.labels.txt` or `.txt`.
package struct ModelFolder {
  private static let ending = ".tflite"
  private static let labelEndings = [".labels.txt", ".txt"]

  /// A model and the files of its versions, newest first.
  struct Entry {
    let name: ModelName
    fileprivate(set) var versions: [(version: String?, path: String, labelsPath: String?)]
  }

  private let path: String
  let entries: [Entry]

  /// Scans the file names in a folder.
  package init(_ path: String) throws(StoreError) {
    let names = try inStore { () throws(FileError) in try FileSystem.entries(of: path) }
    let files = Set(names)
    var entries: [String: Entry] = [:]
    for name in names where name.hasSuffix(Self.ending) && !name.hasPrefix(".") {
      let stem = String(name.dropLast(Self.ending.count))
      let parts = stem.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
      let modelName = try ModelName(String(parts[0]))
      let labels = Self.labelEndings.map { stem + $0 }.first { files.contains($0) }
      entries[modelName.fileName, default: Entry(name: modelName, versions: [])].versions.append(
        (
          parts.count == 2 ? try ModelName(String(parts[1]), of: "version").text : nil,
          "\(path)/\(name)", labels.map { "\(path)/\($0)" }
        ))
    }
    self.path = path
    self.entries = entries.values.sorted { $0.name.text < $1.name.text }.map(\.newestFirst)
  }

  func entry(named name: ModelName) -> Entry? {
    let fileName = name.fileName
    return entries.first { $0.name.fileName == fileName }
  }

  /// Returns the offer of the folder, and computes the digests of all files.
  func manifest() throws(StoreError) -> Manifest {
    var offered: [Manifest.Entry] = []
    for entry in entries { offered.append(.init(name: entry.name, versions: try entry.offered())) }
    return Manifest(offered)
  }

  /// Returns a manifest with which any web server can offer the folder; its addresses are relative.
  package func manifestDocument() throws(StoreError) -> JSONValue {
    var models: [JSONValue] = []
    for entry in entries {
      let versions = try entry.offered().map { version in
        var object: JSONObject = [
          "version": .string(version.version), "file": version.model.document,
        ]
        if let labels = version.labels { object.append("labels", labels.document) }
        return JSONValue.object(object)
      }
      models.append(["name": .string(entry.name.text), "versions": .array(versions)])
    }
    return ["format": 1, "models": .array(models)]
  }
}

extension ModelFolder.Entry {
  /// Sorts numerically, so that 10 is newer than 9; a file without a version is the oldest.
  fileprivate var newestFirst: Self {
    let sorted = versions.map { version in (VersionText(version.version ?? ""), version) }
      .sorted { first, second in second.0 < first.0 }
    var entry = self
    entry.versions = sorted.map { $0.1 }
    return entry
  }

  /// Returns the versions with the digests of their files.
  func offered() throws(StoreError) -> [OfferedVersion] {
    var offered: [OfferedVersion] = []
    for (version, path, labelsPath) in versions {
      let model = try OfferedFile(onDisk: path)
      var entry = OfferedVersion(
        version: version ?? String((model.sha256 ?? "").prefix(12)), model: model)
      entry.labels = try labelsPath.map { path throws(StoreError) in try OfferedFile(onDisk: path) }
      offered.append(entry)
    }
    return offered
  }
}

extension OfferedFile {
  fileprivate init(onDisk path: String) throws(StoreError) {
    guard let byteCount = FileSystem.byteCount(of: path), byteCount > 0 else {
      throw StoreError(.fileFailed, "\(path): no file, or one without bytes")
    }
    let digest = try inStore { () throws(FileError) in try FileSystem.sha256(of: path) }
    self.init(place: .disk(path: path), sha256: digest, byteCount: byteCount)
  }

  /// The JSON object for a manifest in the same folder.
  fileprivate var document: JSONValue {
    let address =
      switch place {
      case .disk(let path): path.lastPathComponent.asURLPathComponent
      case .web(let address): address.text
      }
    return [
      "url": .string(address), "sha256": .string(orNull: sha256),
      "bytes": byteCount.map { .integer($0) } ?? .null,
    ]
  }
}

/// A version in a file name, compared in natural order: 10 is newer than 9.
private struct VersionText: Comparable {
  /// Alternating runs of digits and of other bytes.
  private let parts: [Part]
  private let text: String

  private enum Part: Comparable {
    /// The digits without leading zeros, so that a longer number is larger, whatever its length.
    case digits([UInt8])
    case other([UInt8])

    static func < (first: Part, second: Part) -> Bool {
      switch (first, second) {
      case (.digits(let first), .digits(let second)):
        first.count != second.count
          ? first.count < second.count : first.lexicographicallyPrecedes(second)
      case (.other(let first), .other(let second)): first.lexicographicallyPrecedes(second)
      case (.digits, .other): true
      case (.other, .digits): false
      }
    }
  }

  init(_ text: String) {
    self.text = text
    var parts: [Part] = []
    var rest = Array(text.utf8)[...]
    while let first = rest.first {
      let run = rest.prefix { $0.isDigit == first.isDigit }
      parts.append(
        first.isDigit
          ? .digits(Array(run.drop { $0 == UInt8(ascii: "0") })) : .other(Array(run)))
      rest = rest.dropFirst(run.count)
    }
    self.parts = parts
  }

  static func < (first: VersionText, second: VersionText) -> Bool {
    // Versions that differ only in leading zeros are compared as texts.
    if first.parts == second.parts { return first.text < second.text }
    return first.parts.lexicographicallyPrecedes(second.parts)
  }
}
