extension InferenceProtocol {
  /// What a request asks for.
  enum Call: Equatable {
    case server
    case live
    case ready
    case model(String, version: String?)
    case modelReady(String, version: String?)
    case modelConfiguration(String, version: String?)
    case infer(String, version: String?)
    case repositoryIndex
    case load(String)
    case unload(String)
    /// The list of shared memory, of which there is none.
    case sharedMemoryStatus
    /// What a client that shares memory wants, which a server cannot give to strangers.
    case sharedMemoryChange

    /// Reads the path after `/v2`.
    init?(_ segments: ArraySlice<String>, _ method: String) {
      let path = Array(segments)
      switch path.first {
      case nil: self = .server
      case "health" where path == ["health", "live"]: self = .live
      case "health" where path == ["health", "ready"]: self = .ready
      case "models" where path.count >= 2: self.init(model: path[1], Array(path.dropFirst(2)))
      case "repository" where path == ["repository", "index"]: self = .repositoryIndex
      case "repository" where path.count == 4 && path[1] == "models":
        switch path[3] {
        case "load": self = .load(path[2])
        case "unload": self = .unload(path[2])
        default: return nil
        }
      case "systemsharedmemory", "cudasharedmemory":
        self = path.last == "status" ? .sharedMemoryStatus : .sharedMemoryChange
      default: return nil
      }
    }

    private init?(model: String, _ rest: [String]) {
      var (rest, version) = (rest, String?.none)
      if rest.count >= 2, rest[0] == "versions" {
        version = rest[1]
        rest.removeFirst(2)
      }
      switch rest {
      case []: self = .model(model, version: version)
      case ["ready"]: self = .modelReady(model, version: version)
      case ["config"]: self = .modelConfiguration(model, version: version)
      case ["infer"]: self = .infer(model, version: version)
      default: return nil
      }
    }

    var methods: [String] {
      switch self {
      case .server, .live, .ready, .model, .modelReady, .modelConfiguration, .sharedMemoryStatus:
        ["GET", "HEAD"]
      case .repositoryIndex: ["POST", "GET"]
      case .infer, .load, .unload, .sharedMemoryChange: ["POST"]
      }
    }
  }
}
