import OcellusJSON
import OcellusPlatform

/// The offer of a host: the versions of each model, in the order in which they are to be tried.
///
/// Manifests are not trusted: names, numbers and addresses are validated while parsing.
struct Manifest: Sendable {
  /// The largest size of a manifest, in bytes.
  static let longest = 4 << 20
  /// The name of a folder's manifest file.
  static let fileName = "manifest.json"
  private static let format = 1

  /// The base against which relative file names are resolved.
  enum Base: Sendable {
    case web(WebAddress)
    case folder(String)
  }

  /// A model and its versions.
  struct Entry: Sendable {
    let name: ModelName
    let versions: [OfferedVersion]
  }

  private(set) var entries: [Entry]

  init(_ entries: [Entry]) { self.entries = entries }

  /// The names of all models.
  var names: [String] { entries.map { "\($0.name)" } }

  /// Returns the versions of a model; `nil` if the model is not in the manifest.
  func versions(of name: ModelName) -> [OfferedVersion]? {
    let fileName = name.fileName
    return entries.first { $0.name.fileName == fileName }?.versions
  }

  /// Parses a manifest whose relative file names are resolved against `base`.
  init(parsing bytes: [UInt8], base: Base) throws(StoreError) {
    let document: JSONValue
    do throws(JSONError) { document = try JSONParser.parse(bytes) } catch {
      throw StoreError(.malformed, "the manifest: \(error.description)")
    }
    self = try Reader(base: base).manifest(document)
  }

  /// The parser; its errors name the model.
  private struct Reader {
    let base: Base

    func manifest(_ document: JSONValue) throws(StoreError) -> Manifest {
      let object = document.object
      guard object?["format"]?.integer == format else {
        throw error("\"format\" should be \(format)")
      }
      guard let models = object?["models"]?.array else { throw error("there are no \"models\"") }
      var entries: [Entry] = []
      var names: Set<String> = []
      for model in models {
        let entry = try entry(model)
        guard names.insert(entry.name.fileName).inserted else {
          throw error("there are two models '\(entry.name)'")
        }
        entries.append(entry)
      }
      return Manifest(entries)
    }

    private func entry(_ value: JSONValue) throws(StoreError) -> Entry {
      guard let name = value.object?["name"]?.string else { throw error("a model has no \"name\"") }
      let modelName = try ModelName(name)
      guard let values = value.object?["versions"]?.array, !values.isEmpty else {
        throw error("'\(name)' has no \"versions\"")
      }
      var versions: [OfferedVersion] = []
      for value in values { versions.append(try version(value, of: name)) }
      guard versions.compactMap(\.rollout).reduce(0, +) <= 100 else {
        throw error("the rollouts of '\(name)' are more than 100 percent")
      }
      return Entry(name: modelName, versions: versions)
    }

    private func version(_ value: JSONValue, of name: String) throws(StoreError) -> OfferedVersion {
      let object = value.object
      guard let text = object?["version"]?.string else {
        throw error("a version of '\(name)' has no \"version\"")
      }
      guard let file = object?["file"] else { throw error("'\(name)' \(text) has no \"file\"") }
      var version = OfferedVersion(
        version: try ModelName(text, of: "version").text, model: try self.file(file, of: name))
      version.labels = try object?["labels"].map { value throws(StoreError) in
        try self.file(value, of: name)
      }
      version.rollout = try rollout(object?["rollout"], of: name)
      version.minimumRuntime = try minimumRuntime(object?["minimum_ocellus"], of: name)
      return version
    }

    private func rollout(_ value: JSONValue?, of name: String) throws(StoreError) -> Double? {
      guard let value else { return nil }
      guard let percent = value.number, (0...100).contains(percent) else {
        throw error("a \"rollout\" of '\(name)' is no number from 0 to 100")
      }
      return percent
    }

    private func minimumRuntime(
      _ value: JSONValue?, of name: String
    ) throws(StoreError) -> RuntimeVersion? {
      guard let value else { return nil }
      guard let version = value.string.flatMap(RuntimeVersion.init) else {
        throw error("a \"minimum_ocellus\" of '\(name)' is no version")
      }
      return version
    }

    private func file(_ value: JSONValue, of name: String) throws(StoreError) -> OfferedFile {
      guard let url = value.object?["url"]?.string, let digest = value.object?["sha256"]?.string,
        let byteCount = value.object?["bytes"]?.integer
      else { throw error("a file of '\(name)' needs \"url\", \"sha256\" and \"bytes\"") }
      guard VersionKey.isDigest(digest) else {
        throw error("a \"sha256\" of '\(name)' is not 64 small hexadecimal digits")
      }
      guard byteCount > 0 else { throw error("a file of '\(name)' has no bytes") }
      return OfferedFile(place: try place(url, of: name), sha256: digest, byteCount: byteCount)
    }

    private func place(_ url: String, of name: String) throws(StoreError) -> OfferedFile.Place {
      switch base {
      case .web(let address): return .web(try address.resolving(url))
      case .folder(let folder):
        if url.contains("://") { return .web(try WebAddress(url)) }
        guard let file = Self.fileName(url) else {
          throw error("'\(url)' of '\(name)' is not a file of the folder")
        }
        return .disk(path: folder + "/" + file)
      }
    }

    /// Returns the decoded relative path; `nil` if it could lead out of the folder.
    private static func fileName(_ url: String) -> String? {
      guard let name = url.unescaped, !name.utf8.contains(0) else { return nil }
      let parts = name.split(separator: "/", omittingEmptySubsequences: false)
      return parts.contains { $0.isEmpty || $0 == "." || $0 == ".." } ? nil : name
    }

    private func error(_ problem: String) -> StoreError {
      StoreError(.malformed, "the manifest: \(problem)")
    }
  }
}
