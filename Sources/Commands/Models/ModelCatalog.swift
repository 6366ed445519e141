import OcellusJSON
import OcellusPlatform
import OcellusVision

/// Public models that are known to work here, and where to get them.
struct ModelCatalog {
  /// A file on the web, at an address that never changes its content.
  struct WebFile {
    let url: String
    let sha256: String
    let byteCount: Int
  }

  /// One model.
  struct Entry {
    let id: String
    let name: String
    let task: String
    let summary: String
    let license: String
    let model: WebFile
    /// The file of its labels, for models that do not carry theirs.
    let labels: WebFile?
    /// What is to be said about its labels where there is no file.
    let labelsNote: String?
    let json: JSONValue
  }

  let entries: [Entry]

  /// The catalogue that comes with the package.
  static func embedded() throws -> ModelCatalog {
    let path = try EmbeddedModel.catalogPath
    do {
      return try ModelCatalog(json: JSONParser.parse(try FileSystem.read(path)))
    } catch let error as JSONError {
      throw VisionError.unreadable("\(path): \(error.description)")
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

  /// The entry with an id.
  func entry(_ id: String) throws(UsageError) -> Entry {
    if let entry = entries.first(where: { $0.id == id }) { return entry }
    let hint = Suggestion.text(for: id, among: entries.map(\.id))
    throw UsageError(
      "there is no model '\(id)' in the catalogue\(hint); 'ocellus models list' shows all",
      command: "models")
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

  /// The name that the file has on the web.
  var fileName: String { url.split(separator: "/").last.map(String.init) ?? "model.tflite" }

  /// Commands for a shell that fetch the file and check it.
  var shellLines: [String] {
    [
      "curl -fL -o \(fileName) '\(url)'",
      "echo '\(sha256)  \(fileName)' | sha256sum --check",
    ]
  }
}
