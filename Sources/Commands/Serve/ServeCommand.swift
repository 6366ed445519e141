import OcellusEngine
import OcellusPlatform

/// `ocellus serve`: answers requests over HTTP.
///
/// The server is a program of its own, which alone needs libmicrohttpd; this command becomes it.
struct ServeCommand: Command {
  private static let models = Option<[String]>.texts(
    "model", letter: "m", "NAME=MODEL[,KEY=VALUE...]", accepts: .file,
    help: """
      A model and its name in URLs; without NAME=, that of its file. Keys: labels=FILE, task=TASK (detect, \
      label, segment, pose, embed or tensors), classifier=MODEL, threshold=SCORE. May be given several \
      times. Default: the default detector, as for 'detect'.
      """)
  private static let listen = Option<String?>.text(
    "listen", "ADDRESS:PORT|unix:PATH",
    help: """
      Where to listen. Default: 127.0.0.1:5000, which only this machine can reach; port 0 is a free one.
      """)
  private static let viewers = Option<Int?>.integer(
    "jobs", "N", in: 1...1024,
    help: """
      Pictures that each model looks at at the same time. Default: one for each processor that the \
      program may use.
      """)
  private static let token = Option<String?>.text(
    "token-file", "FILE", accepts: .file,
    help: """
      Answer only clients that know the token in FILE, its first line: in the header Authorization: \
      Bearer TOKEN, or as the field api_key of DeepStack's requests.
      """)
  private static let control = Option.flag(
    "allow-control", help: "Let clients load and unload models.")
  private static let log = Option<String?>.choice(
    "log", "FORM", of: [("text", "text"), ("json", "json"), ("none", "none")],
    help: "A line on standard error for each request: text, json or none. Default: none.")
  private static let body = Option<Int>.integer(
    "max-body", "MIB", in: 1...1024, default: 32, help: "The largest body of a request, in MiB.")
  private static let pixels = Option<Int>.integer(
    "max-megapixels", "N", in: 1...4096, default: 200,
    help: "The largest picture; large JPEGs are decoded at the size that the network needs.")
  private static let waiting = Option<Int>.integer(
    "waiting", "N", in: 0...1 << 20, default: 64,
    help: """
      Requests that may wait for a model; one more is answered 503 at once. A small number keeps \
      accepted requests fast when there are too many.
      """)
  private static let within = Option<Int>.integer(
    "within", "S", in: 1...86_400, default: 30,
    help: "How long a request may take, waiting included, in seconds; then it is answered 504.")
  private static let connections = Option<Int>.integer(
    "connections", "N", in: 1...100_000, default: 1024, help: "Open connections.")
  private static let drain = Option<Int>.integer(
    "drain", "S", in: 0...86_400, default: 30,
    help: "How long requests may go on after SIGTERM, in seconds.")

  static let definition = CommandDefinition(
    name: "serve", summary: "Answer requests over HTTP: pictures, DeepStack, Open Inference.",
    options: [
      models.definition, listen.definition, viewers.definition, token.definition,
      control.definition, log.definition, body.definition, pixels.definition, waiting.definition,
      within.definition, connections.definition, drain.definition,
    ] + BudgetOptions.definitions,
    discussion: """
      POST '/detect', '/label', '/segment', '/pose' and '/embed' take a picture and answer with the JSON \
      of the command of that name, or with an annotated picture if the header Accept asks for image/jpeg \
      or image/png. POST '/track/STREAM' gives objects identities from frame to frame. Frigate, Home \
      Assistant and Blue Iris use '/v1/vision/detection' (DeepStack, CodeProject.AI); tritonclient and \
      KServe's clients use '/v2' (Open Inference Protocol). '/openapi.json' lists everything, '/' is a \
      page to try it.

      SIGTERM answers what has arrived, and ends. SIGHUP loads all models again, and loses no request. \
      The server speaks no TLS: put a proxy such as nginx in front of it. It is the program ocellus-serve, \
      which 'make serve' builds; it needs libmicrohttpd.
      """,
    examples: [
      .init(
        arguments: "-m ssd.tflite",
        purpose: "Then: curl --data-binary @photo.jpg localhost:5000/detect."),
      .init(
        arguments:
          "-m cam=yolo.tflite -m rooms=places.tflite --listen 0.0.0.0:80 --token-file token",
        purpose: "Two models for a network."),
    ])

  private let settings: ServeSettings

  init(_ arguments: ParsedArguments) throws(UsageError) {
    let log = try arguments[Self.log]
    settings = ServeSettings(
      models: try arguments[Self.models],
      address: try arguments[Self.listen] ?? "127.0.0.1:5000",
      viewers: try arguments[Self.viewers], tokenPath: try arguments[Self.token],
      allowsControl: try arguments[Self.control], log: log == "none" ? nil : log,
      budget: try BudgetOptions.read(arguments),
      limits: .init(
        bodyMebibytes: try arguments[Self.body], megapixels: try arguments[Self.pixels],
        waitingRequests: try arguments[Self.waiting], requestSeconds: try arguments[Self.within],
        connections: try arguments[Self.connections], drainSeconds: try arguments[Self.drain]))
  }

  func run(in context: CommandContext) throws -> ExitCode {
    guard let serve = context.serve else { throw Self.becomeServer() }
    do { try serve(settings) { context.note($0 + "\n") } } catch let error as ServeUsageError {
      throw UsageError(error.message)
    }
    return .success
  }

  private static let program = "ocellus-serve"

  /// Replaces this process by the server, with the same arguments.
  ///
  /// - Returns: an error that says how to get the server, if there is none.
  private static func becomeServer() -> RunError {
    let words = [program] + Program.processArguments.dropFirst()
    let argv = words.map { word in word.withFileName { strdup($0) } } + [nil]
    defer { for word in argv { free(word) } }
    if let folder = programFolder { execv("\(folder)/\(program)", argv) }
    execvp(program, argv)
    guard errno == ENOENT else {
      return RunError("\(program) cannot be started: \(String(cString: strerror(errno)))")
    }
    return RunError(
      "there is no \(program) beside this program or in PATH. 'make serve' builds it in a checkout of "
        + "Ocellus, and 'make install' installs it then; it needs libmicrohttpd (Debian: apt-get install "
        + "libmicrohttpd-dev)")
  }

  private static var programFolder: String? {
    guard let path = realpath("/proc/self/exe", nil) else { return nil }
    defer { free(path) }
    return String(cString: path).parentPath
  }
}
