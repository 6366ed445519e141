import OcellusJSON
import OcellusPlatform

/// A request to a worker: the input, and an identifier for the answer.
struct WorkRequest: Sendable {
  /// The input of a request.
  enum Source: Sendable {
    /// The path of a file.
    case file(String)
    /// The contents of a file.
    case contents([UInt8])
    /// Files for inputs, by the names or indices of the inputs.
    case inputs([(name: String, path: String)])
  }

  /// The caller's identifier, or the number of the request.
  let id: JSONValue
  /// The input; `nil` if the request is invalid.
  let source: Source?
  /// The reason why the request is invalid.
  let problem: String

  /// The name in messages and results.
  var name: String {
    if case .file(let path) = source { return path }
    return id.string ?? id.text
  }

  private init(id: JSONValue, _ source: Source) {
    self.id = id
    self.source = source
    problem = ""
  }

  /// Makes a request that is invalid.
  init(id: JSONValue, problem: String) {
    self.id = id
    source = nil
    self.problem = problem
  }

  /// Makes a request from a frame with the contents of a file.
  init(frame: [UInt8], number: Int) {
    self.init(id: .integer(number), .contents(frame))
  }

  /// Makes a request from a line with a path or a JSON object.
  init(line: [UInt8], number: Int) {
    let text = line.last == UInt8(ascii: "\r") ? line.dropLast() : line[...]
    guard text.first == UInt8(ascii: "{") else {
      self.init(id: .integer(number), .file(String(fileNameBytes: text)))
      return
    }
    let object: JSONObject?
    do throws(JSONError) { object = try JSONParser.parse(Array(text)).object } catch {
      self.init(id: .integer(number), problem: "the request is no JSON: \(error)")
      return
    }
    let id = object?["id"] ?? .integer(number)
    do throws(RunError) { self.init(id: id, try Self.source(of: object ?? [:])) } catch {
      self.init(id: id, problem: error.description)
    }
  }

  private static func source(of request: JSONObject) throws(RunError) -> Source {
    for member in request.members where !["id", "path", "data", "inputs"].contains(member.name) {
      throw RunError("a request has no '\(member.name)', only id, path, data and inputs")
    }
    let given = ["path", "data", "inputs"].filter { request[$0] != nil }
    guard given.count == 1 else {
      throw RunError("a request has one of path, data and inputs, not \(given.count) of them")
    }
    if let path = request["path"]?.string { return .file(path) }
    if let text = request["data"]?.string {
      guard let bytes = Base64.bytes(of: text) else {
        throw RunError("data is no text in base64")
      }
      return .contents(bytes)
    }
    let inputs = request["inputs"]?.object?.members.map { ($0.name, $0.value.string) } ?? []
    let files = inputs.compactMap { name, path in path.map { (name: name, path: $0) } }
    guard !files.isEmpty, files.count == inputs.count else {
      throw RunError(
        given == ["inputs"]
          ? "inputs are an object with a path for each name" : "\(given[0]) is no text")
    }
    return .inputs(files)
  }
}
