import OcellusEngine
import OcellusJSON
import OcellusModelFile
import OcellusVision

/// Where a command's model comes from: a file or folder, or standard input, which can be read once.
enum ModelSource {
  case path(String)
  case stream(ModelBytes)

  /// The model that a command line names; `-` is standard input.
  init(_ path: String) throws {
    self = path == "-" ? .stream(try FileOrStream.model(path)) : .path(path)
  }

  /// What works with the model.
  func open<Viewer>(
    at path: (String) throws -> Viewer, or model: (Model) throws -> Viewer
  ) throws -> Viewer {
    switch self {
    case .path(let text): try path(text)
    case .stream(let bytes): try model(Model(bytes))
    }
  }

  /// Which model a result is about.
  var json: JSONObject {
    switch self {
    case .path(let path): JSONObject(modelAt: path)
    case .stream(let bytes): JSONObject(model: "-", bytes)
    }
  }

  /// What the model shows of itself; nothing where there is none.
  var explanation: Explanation {
    switch self {
    case .path(let path): Explanation(ofModelAt: path)
    case .stream(let bytes): Explanation(of: try? Model(bytes))
    }
  }
}
