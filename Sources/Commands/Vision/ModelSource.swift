import OcellusEngine
import OcellusJSON
import OcellusModelFile
import OcellusVision

/// The source of a model: a file or directory, or standard input, which can be read only once.
enum ModelSource {
  /// A file or directory; and how it was chosen, if the command line names no model.
  case path(String, DefaultModel? = nil)
  case stream(ModelBytes)

  /// Takes the model that a command line names; `-` means standard input.
  init(_ path: String) throws {
    self = path == "-" ? .stream(try FileOrStream.model(path)) : .path(path)
  }

  /// Opens the model.
  func open<Viewer>(
    at path: (String) throws -> Viewer, or model: (Model) throws -> Viewer
  ) throws -> Viewer {
    switch self {
    case .path(let text, _): try path(text)
    case .stream(let bytes): try model(Model(bytes))
    }
  }

  /// How the model was chosen, if the command line names none.
  var defaultModel: DefaultModel? {
    guard case .path(_, let model) = self else { return nil }
    return model
  }

  /// The model as members of a JSON result.
  var json: JSONObject {
    switch self {
    case .path(let path, _): JSONObject(modelAt: path)
    case .stream(let bytes): JSONObject(model: "-", bytes)
    }
  }

  /// The explanation of the model; empty if there is no readable model.
  var explanation: Explanation {
    switch self {
    case .path(let path, _): Explanation(ofModelAt: path)
    case .stream(let bytes): Explanation(of: try? Model(bytes))
    }
  }
}
