import OcellusPlatform

/// The life of a server: it loads models, answers requests, and obeys signals.
package struct ServerProgram: Sendable {
  /// Everything that the command line says.
  package struct Settings: Sendable {
    package var models: [ModelSpecification]
    package var loading: ServedModel.Settings
    package var address: ListenAddress
    package var service: Service.Configuration
    package var log: AccessLog.Form?

    package init(
      models: [ModelSpecification], loading: ServedModel.Settings, address: ListenAddress,
      service: Service.Configuration, log: AccessLog.Form?
    ) {
      self.models = models
      self.loading = loading
      self.address = address
      self.service = service
      self.log = log
    }
  }

  /// Runs a server until SIGTERM or SIGINT; `tell` writes a line for whoever operates it.
  ///
  /// - Throws: what keeps it from starting, or a `ServerError` if requests were lost at the end.
  package static func run(
    _ settings: Settings, tell: (String) -> Void
  ) throws {
    // Before any thread is started: threads inherit what is blocked, and this one waits for signals.
    let signals = ServerSignals()
    allowManyFiles()
    let registry = try ModelRegistry(
      settings.models.isEmpty ? ModelSpecification.defaults : settings.models, settings.loading)
    let service = Service(
      registry, settings.service, log: settings.log.map { AccessLog($0, write: logLine) })
    let server = try HTTPServer(
      try ListeningSocket(settings.address), limits: settings.service.limits, handler: service)
    service.observe(server)
    introduce(server, registry, settings, tell)
    Supervisor.tell("READY=1")
    while signals.next() == .reload {
      Supervisor.tell("RELOADING=1")
      tell("loading the models again")
      let problems = registry.reload()
      for (name, problem) in problems { tell("\(name) stays as it was: \(problem)") }
      tell(problems.isEmpty ? "the models are loaded" : "\(problems.count) models are as they were")
      Supervisor.tell("READY=1")
    }
    Supervisor.tell("STOPPING=1")
    tell("answering \(server.exchangeCount) requests, then ending; a second signal ends at once")
    signals.endAtNext()
    let lost = server.drain()
    guard lost == 0 else {
      throw ServerError("\(lost) requests were not answered in time (--drain)")
    }
    tell("all requests are answered")
  }

  private static func introduce(
    _ server: HTTPServer, _ registry: ModelRegistry, _ settings: Settings,
    _ tell: (String) -> Void
  ) {
    for model in registry.models {
      tell("\(model.name): \(model.task.name), \(model.path)")
      for warning in model.warnings { tell("\(model.name): warning: \(warning)") }
    }
    if !server.address.isLocal, settings.service.token == nil {
      tell("warning: everybody who reaches \(server.address) may ask; --token-file limits that")
    }
    tell("listening at \(server.address)")
    let tasks = Set(registry.models.map(\.task.name))
    if let task = ["detect", "label", "segment", "pose", "embed"].first(where: tasks.contains) {
      tell("try: curl --data-binary @photo.jpg \(server.address.curl)/\(task)")
    } else if let model = registry.models.first {
      tell("try: curl \(server.address.curl)/v2/models/\(model.name)")
    }
  }

  /// Writes a line to standard error in one piece, so that lines of several threads do not mix.
  @Sendable private static func logLine(_ line: String) {
    var line = line
    line.withUTF8 { bytes in
      guard let base = bytes.baseAddress else { return }
      _ = OcellusPlatform.write(STDERR_FILENO, base, bytes.count)
    }
  }

  /// Raises the number of files, and so of connections, to what the system allows.
  private static func allowManyFiles() {
    var limit = rlimit()
    #if canImport(Glibc)
      let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    #else
      let resource = RLIMIT_NOFILE
    #endif
    guard getrlimit(resource, &limit) == 0 else { return }
    limit.rlim_cur = limit.rlim_max
    setrlimit(resource, &limit)
  }
}

/// The signals that a server obeys, which only the thread that waits for them receives.
private struct ServerSignals {
  enum Request {
    case reload
    case end
  }

  private let set: sigset_t

  /// Blocks the signals in this thread and in those that it starts from now on.
  init() {
    var set = sigset_t()
    sigemptyset(&set)
    for number in [SIGTERM, SIGINT, SIGHUP] { sigaddset(&set, number) }
    pthread_sigmask(SIG_BLOCK, &set, nil)
    signal(SIGPIPE, SIG_IGN)
    self.set = set
  }

  /// Waits for the next signal.
  func next() -> Request {
    var (set, number) = (set, Int32(0))
    sigwait(&set, &number)
    return number == SIGHUP ? .reload : .end
  }

  /// Ends the program at once at the next signal that asks for its end.
  func endAtNext() {
    SystemThread.run { [self] in
      while next() == .reload {}
      _exit(1)
    }
  }
}
