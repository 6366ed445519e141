package import OcellusJSON
import OcellusPlatform
import OcellusVision

/// The service of a server: it routes requests to the protocols that it speaks.
package final class Service: HTTPHandler {
  package let registry: ModelRegistry
  let configuration: Configuration
  let metrics = Metrics()
  let trackers: TrackerPool<String>
  let streams = StreamListeners()
  private let log: AccessLog?

  /// How the service behaves.
  package struct Configuration: Sendable {
    package var limits = ServerLimits()
    /// The secret that clients must know; `nil`: none.
    package var token: String?
    /// Whether clients may load and unload models.
    package var allowsControl = false
    /// The version of the program.
    package var version = ""
    /// Returns the members that a command's document begins with.
    package var signature: @Sendable (_ command: String) -> JSONObject = { _ in [:] }

    package init() {}
  }

  package init(_ registry: ModelRegistry, _ configuration: Configuration, log: AccessLog?) {
    self.registry = registry
    self.configuration = configuration
    self.log = log
    trackers = TrackerPool()
    metrics.observeStages()
  }

  /// Tells the service about its server's connections, for metrics and readiness.
  package func observe(_ server: HTTPServer) {
    source.change { $0 = StateSource(server: server) }
  }

  /// The state of the server's connections; `nil` before there is a server.
  var serverState: ServerState? {
    source.change { $0.server.map { ServerState($0) } }
  }

  private struct StateSource {
    weak var server: HTTPServer?
  }

  private let source = Monitor(StateSource())

  package func admit(_ request: HTTPRequest) -> HTTPError? {
    guard let token = configuration.token, !Self.isOpen(request), !Self.maySendKey(request) else {
      return nil
    }
    return AccessToken.isValid(request, token) ? nil : AccessToken.error
  }

  /// Whether everybody may ask: the checks of a cluster have no token, nor has a browser that opens
  /// the page.
  private static func isOpen(_ request: HTTPRequest) -> Bool {
    ["/", "/openapi.json", "/health", "/v2/health/live", "/v2/health/ready"]
      .contains(request.path)
  }

  /// Whether the request may have its token in its body: clients of DeepStack send it as `api_key`.
  private static func maySendKey(_ request: HTTPRequest) -> Bool {
    request.header("authorization") == nil && request.path.hasPrefix("/v1/")
  }

  package func answer(to request: HTTPRequest) async -> HTTPResponse {
    let route = Route(request)
    do {
      guard let route else { throw HTTPError(404, Route.unknown(request.path)) }
      guard route.methods.contains(request.method) else {
        throw HTTPError(
          405,
          "\(request.path) takes \(route.methods.joined(separator: " or ")), not \(request.method)",
          headers: [("Allow", route.methods.joined(separator: ", "))])
      }
      return try await answer(to: request, at: route)
    } catch {
      return answer(about: HTTPError(error, limits: configuration.limits), to: request)
    }
  }

  package func answer(about error: HTTPError, to request: HTTPRequest) -> HTTPResponse {
    error.response(
      request.path.hasPrefix("/v1/")
        ? DeepStack.failure(error)
        : ["error": .string(error.message), "status": .integer(error.status)])
  }

  private func answer(to request: HTTPRequest, at route: Route) async throws -> HTTPResponse {
    switch route {
    case .page: return Page.response
    case .description: return .json(OpenAPI.document(version: configuration.version))
    case .health: return health()
    case .metrics: return .text(metricsText, type: "text/plain; version=0.0.4; charset=utf-8")
    case .picture(let task): return try await OwnProtocol(self).picture(request, task)
    case .track(let stream): return try await OwnProtocol(self).track(request, stream)
    case .trackEvents(let stream): return .events(streams.listen(to: stream))
    case .deepStack(let call): return try await DeepStack(self).answer(to: request, call)
    case .inference(let call): return try await InferenceProtocol(self).answer(to: request, call)
    }
  }

  /// Whether requests will be answered: all models are there, and the server is not being stopped.
  var isReady: Bool { registry.isReady && serverState?.isDraining != true }

  private func health() -> HTTPResponse {
    .json(
      ["ready": .bool(isReady), "models": .strings(registry.models.map(\.name))],
      status: isReady ? 200 : 503)
  }

  package func note(_ record: HTTPRecord) {
    metrics.note(record)
    log?.write(record)
  }
}

/// The state of a server's connections.
package struct ServerState: Sendable {
  package var connections: Int
  package var requests: Int
  package var bodyBytes: Int
  package var isDraining: Bool

  package init(_ server: HTTPServer) {
    connections = server.connectionCount
    requests = server.exchangeCount
    bodyBytes = server.bodyBytes
    isDraining = server.draining
  }
}
