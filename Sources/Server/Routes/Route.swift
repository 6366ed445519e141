/// The place that a request's path names.
enum Route: Equatable {
  case page
  case description
  case health
  case metrics
  /// A question about one picture, by the name of the task.
  case picture(task: String)
  case track(stream: String)
  case trackEvents(stream: String)
  case deepStack(DeepStack.Call)
  case inference(InferenceProtocol.Call)

  private static let tasks: Set = ["detect", "label", "segment", "pose", "embed"]

  /// Finds the place; `nil` if there is none.
  init?(_ request: HTTPRequest) {
    let segments = request.segments
    switch segments.first {
    case nil: self = .page
    case "openapi.json" where segments.count == 1: self = .description
    case "health" where segments.count == 1: self = .health
    case "metrics" where segments.count == 1: self = .metrics
    case let task? where segments.count == 1 && Self.tasks.contains(task):
      self = .picture(task: task)
    case "track" where segments.count == 2: self = .track(stream: segments[1])
    case "track" where segments.count == 3 && segments[2] == "events":
      self = .trackEvents(stream: segments[1])
    case "v1":
      guard let call = DeepStack.Call(segments.dropFirst()) else { return nil }
      self = .deepStack(call)
    case "v2":
      guard let call = InferenceProtocol.Call(segments.dropFirst(), request.method) else {
        return nil
      }
      self = .inference(call)
    default: return nil
    }
  }

  /// The methods that the place takes.
  var methods: [String] {
    switch self {
    case .page, .description, .health, .metrics, .trackEvents: ["GET", "HEAD"]
    case .picture, .track: ["POST"]
    case .deepStack(let call): call.methods
    case .inference(let call): call.methods
    }
  }

  /// The message about a path that names nothing.
  static func unknown(_ path: String) -> String {
    "there is nothing at \(path.prefix(200)): GET / is a page to try the server, GET /openapi.json "
      + "lists what there is"
  }

  /// The name of the place in metrics, which has no part that clients choose.
  static func label(of path: String) -> String {
    let segments = path.split(separator: "/").map(String.init)
    switch segments.first {
    case nil: return "/"
    case "track" where segments.count == 3: return "/track/events"
    case "track": return "/track"
    case "v1": return segments.contains("custom") ? "/v1/vision/custom" : known(segments)
    case "v2":
      guard segments.count > 2, segments[1] == "models" else { return "/v2" }
      return segments.last == "infer" ? "/v2/infer" : "/v2/models"
    case let first?:
      let names = tasks.union(["health", "metrics", "openapi.json"])
      return segments.count == 1 && names.contains(first) ? "/\(first)" : "other"
    }
  }

  private static func known(_ segments: [String]) -> String {
    switch segments.dropFirst().prefix(2) {
    case ["vision", "detection"]: "/v1/vision/detection"
    case ["vision", "scene"]: "/v1/vision/scene"
    default: "/v1"
    }
  }
}
