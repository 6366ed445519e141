package import OcellusJSON
import OcellusPlatform

/// The public models that are known to work, with their addresses.
package struct ModelCatalog: Sendable {
  /// A file on the web, at an address with immutable content.
  package struct WebFile: Sendable {
    package let url: String
    package let sha256: String
    package let byteCount: Int
  }

  /// A model of the catalogue.
  package struct Entry: Sendable {
    package let id: String
    package let name: String
    package let task: String
    package let summary: String
    package let license: String
    package let model: WebFile
    /// The labels file, for models without embedded labels.
    package let labels: WebFile?
    /// A note on the labels, if there is no labels file.
    package let labelsNote: String?
    package let json: JSONValue
  }

  package let entries: [Entry]

  /// Reads the catalogue from a file.
  package init(path: String) throws(StoreError) {
    let bytes = try inStore { () throws(FileError) in
      try FileSystem.read(path, limit: Manifest.longest)
    }
    do throws(JSONError) { try self.init(json: JSONParser.parse(bytes)) } catch {
      throw StoreError(.malformed, "\(path): \(error.description)")
    }
  }

  init(json: JSONValue) throws(JSONError) {
    guard let models = json.object?["models"]?.array else {
      throw JSONError(byteOffset: 0, problem: "there are no \"models\"")
    }
    var entries: [Entry] = []
    for model in models { entries.append(try Entry(json: model)) }
    self.entries = entries
  }
}

extension ModelCatalog.Entry {
  fileprivate init(json: JSONValue) throws(JSONError) {
    func text(_ name: String) throws(JSONError) -> String {
      guard let text = json.object?[name]?.string else {
        throw JSONError(byteOffset: 0, problem: "a model has no \"\(name)\"")
      }
      return text
    }
    id = try text("id")
    name = try text("name")
    task = try text("task")
    summary = try text("summary")
    license = try text("license")
    model = try ModelCatalog.WebFile(json: json)
    let labels = json.object?["labels"]
    self.labels =
      labels?.object == nil
      ? nil : try labels.map { json throws(JSONError) in try .init(json: json) }
    labelsNote = labels?.string
    self.json = json
  }
}

extension ModelCatalog.WebFile {
  fileprivate init(json: JSONValue) throws(JSONError) {
    guard let url = json.object?["url"]?.string, let sha256 = json.object?["sha256"]?.string,
      let byteCount = json.object?["bytes"]?.integer
    else {
      throw JSONError(byteOffset: 0, problem: "a file needs \"url\", \"sha256\" and \"bytes\"")
    }
    self.url = url
    self.sha256 = sha256
    self.byteCount = byteCount
  }

  fileprivate func offered() throws(StoreError) -> OfferedFile {
    OfferedFile(place: .web(try WebAddress(url)), sha256: sha256, byteCount: byteCount)
  }
}

/// The public models of the catalogue as a host, with one version each.
struct CatalogHost: OfferingHost {
  static let name = "the catalogue"

  let catalog: ModelCatalog

  var description: String { Self.name }

  func all(from desk: HostContext) throws(StoreError) -> Manifest? {
    var entries: [Manifest.Entry] = []
    for entry in catalog.entries {
      var version = OfferedVersion(
        version: String(entry.model.sha256.prefix(12)), model: try entry.model.offered())
      version.labels = try entry.labels?.offered()
      entries.append(.init(name: try ModelName(entry.id), versions: [version]))
    }
    return Manifest(entries)
  }
}
