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

  /// The caller's identifier, if there is one.
  let id: JSONValue?
  /// The number of the request, counted from 1.
  let number: Int
  /// The input; `nil` if the request is invalid.
  let source: Source?
  /// The reason why the request is invalid.
  let problem: String

  /// The name in messages and results.
  var name: String {
    if case .file(let path) = source { return path }
    return id.map { $0.string ?? $0.text } ?? "request \(number)"
  }

  /// The member of the answer that says which request it belongs to.
  ///
  /// Numbers and the callers' identifiers have members of their own, so that they cannot be mistaken
  /// for each other.
  var signature: JSONObject { id.map { ["id": $0] } ?? ["request": .integer(number)] }

  private init(id: JSONValue? = nil, number: Int, _ source: Source) {
    (self.id, self.number) = (id, number)
    self.source = source
    problem = ""
  }

  /// Makes a request that is invalid.
  init(id: JSONValue? = nil, number: Int, problem: String) {
    (self.id, self.number) = (id, number)
    source = nil
    self.problem = problem
  }

  /// Makes a request from a frame with the contents of a file.
  init(frame: [UInt8], number: Int) {
    self.init(number: number, .contents(frame))
  }

  /// Makes a request from a line with a path or a JSON object.
  init(line: [UInt8], number: Int) {
    let text = line.last == UInt8(ascii: "\r") ? line.dropLast() : line[...]
    guard text.first == UInt8(ascii: "{") else {
      self.init(number: number, .file(String(fileNameBytes: text)))
      return
    }
    let object: JSONObject?
    do throws(JSONError) { object = try JSONParser.parse(Array(text)).object } catch {
      self.init(number: number, problem: "the request is no JSON: \(error)")
      return
    }
    let id = object?["id"]
    do throws(RunError) {
      self.init(id: id, number: number, try Self.source(of: object ?? [:]))
    } catch {
      self.init(id: id, number: number, problem: error.description)
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
