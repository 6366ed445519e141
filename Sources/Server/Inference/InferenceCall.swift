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
    case statistics(String?, version: String?)
    /// The list of shared memory, of which there is none.
    case sharedMemoryStatus
    /// What an extension of the protocol has that this server lacks, with the reason.
    case lacking(String)

    /// Reads the path after `/v2`.
    init?(_ segments: ArraySlice<String>, _ method: String) {
      let path = Array(segments)
      switch path.first {
      case nil: self = .server
      case "health" where path == ["health", "live"]: self = .live
      case "health" where path == ["health", "ready"]: self = .ready
      case "models" where path == ["models", "stats"]: self = .statistics(nil, version: nil)
      case "models" where path.count >= 2: self.init(model: path[1], Array(path.dropFirst(2)))
      case "repository" where path == ["repository", "index"]: self = .repositoryIndex
      case "repository" where path.count == 4 && path[1] == "models":
        switch path[3] {
        case "load": self = .load(path[2])
        case "unload": self = .unload(path[2])
        default: return nil
        }
      case "systemsharedmemory", "cudasharedmemory":
        self =
          path.last == "status"
          ? .sharedMemoryStatus
          : .lacking("shares no memory with clients; send tensors as binary data")
      case "trace" where path == ["trace", "setting"]: self = .lacking(Self.noTraces)
      case "logging" where path.count == 1:
        self = .lacking("takes no settings of its log from clients; it is started with --log")
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
      case ["stats"]: self = .statistics(model, version: version)
      case ["trace", "setting"]: self = .lacking(Self.noTraces)
      default: return nil
      }
    }

    private static let noTraces = "traces no requests; /metrics has their times by stage"

    var methods: [String] {
      switch self {
      case .server, .live, .ready, .model, .modelReady, .modelConfiguration, .statistics,
        .sharedMemoryStatus:
        ["GET", "HEAD"]
      case .repositoryIndex, .lacking: ["POST", "GET"]
      case .infer, .load, .unload: ["POST"]
      }
    }
  }
}
