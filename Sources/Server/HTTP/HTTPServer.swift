import CMicrohttpd
import OcellusPlatform
import Synchronization

/// What a server does with requests.
package protocol HTTPHandler: Sendable {
  /// Returns an error for a request whose body has not arrived, for instance without permission.
  func admit(_ request: HTTPRequest) -> HTTPError?
  /// Answers a request.
  func answer(to request: HTTPRequest) async -> HTTPResponse
  /// Returns the answer to a request that failed.
  func answer(about error: HTTPError, to request: HTTPRequest) -> HTTPResponse
  /// Notes that a request was answered, or that its client has left.
  func note(_ exchange: HTTPRecord)
}

/// What a log says about a request.
package struct HTTPRecord: Sendable {
  package var client: String
  package var method: String
  package var path: String
  /// The status of the answer; 0 if the client has left before.
  package var status: Int
  package var answerBytes: Int
  package var seconds: Double
}

/// A server for HTTP 1.1: it receives requests, has them answered by a handler, and sends the answers.
///
/// A few threads do the input and output of all connections. A connection is suspended while its
/// request is being worked on.
///
/// Unchecked: the daemon is set once, before anybody uses the server.
package final class HTTPServer: @unchecked Sendable {
  let limits: ServerLimits
  let handler: any HTTPHandler
  let watch = ConnectionWatch()
  let room: BodyRoom
  /// The exchanges that have begun and not ended.
  let exchanges = Monitor<Set<ObjectIdentifier>>([])
  let running = Mutex<[ObjectIdentifier: Exchange]>([:])
  let streams = Mutex<[EventQueue]>([])
  private let isDraining = Atomic(false)
  private let isOver = Monitor(false)
  private let socket: ListeningSocket
  private var daemon: OpaquePointer?

  /// Starts a server.
  package init(
    _ socket: ListeningSocket, limits: ServerLimits, handler: any HTTPHandler
  ) throws(ServerError) {
    self.socket = socket
    self.limits = limits
    self.handler = handler
    room = BodyRoom(limit: limits.allBodyBytes)
    let settings = daemon_settings(
      listener: socket.descriptor, threads: UInt32(max(1, ProcessorSet.allowedCount / 4)),
      connections: UInt32(limits.connections),
      idle_seconds: UInt32(max(1, limits.idleTime.components.seconds)),
      connection_memory: limits.headerBytes, answer: answerCallback, completed: completedCallback,
      connection_changed: connectionCallback,
      context: Unmanaged.passUnretained(self).toOpaque())
    daemon = daemon_start(settings)
    guard daemon != nil else {
      throw ServerError("libmicrohttpd cannot start: \(String(cString: strerror(errno)))")
    }
    SystemThread.run { [self] in watchConnections() }
  }

  /// The address at which the server listens.
  package var address: ListenAddress { socket.address }

  /// The number of open connections.
  package var connectionCount: Int { watch.count }

  /// The number of requests between their first byte and the last byte of their answer.
  package var exchangeCount: Int { exchanges.change { $0.count } }

  /// The number of bytes of the bodies that are being received or worked on.
  package var bodyBytes: Int { room.usedBytes }

  /// Whether the server takes no new connections.
  package var draining: Bool { isDraining.load(ordering: .relaxed) }

  /// Cuts late connections, and keeps streams alive, until the server is stopped.
  private func watchConnections() {
    var rounds = 0
    while isOver.wait(upTo: .milliseconds(250), until: { $0 ? true : nil }) == nil {
      watch.cutLate()
      rounds += 1
      guard rounds % 60 == 0 else { continue }
      let open = streams.withLock { streams in
        streams.removeAll(where: \.isClosed)
        return streams
      }
      for stream in open { stream.sendHeartbeat() }
    }
  }

  /// Takes no new connections, waits until all requests are answered, and stops the server.
  ///
  /// - Returns: the number of requests that were not answered in time.
  package func drain() -> Int {
    guard !isDraining.exchange(true, ordering: .relaxed), let daemon else { return 0 }
    for stream in streams.withLock({ $0 }) { stream.close() }
    // Whoever connects after the last look is refused by the system.
    acceptWaiting(MHD_quiesce_daemon(daemon))
    close(socket.descriptor)
    if let path = socket.path { unlink(path) }
    var rest = waitForQuiet(upTo: limits.drainTime)
    if rest > 0 {
      for exchange in running.withLock({ Array($0.values) }) { exchange.cancel() }
      rest = waitForQuiet(upTo: .seconds(5))
    }
    isOver.change { $0 = true }
    // libmicrohttpd must not be stopped while connections are suspended.
    if running.withLock({ $0.isEmpty }) { MHD_stop_daemon(daemon) }
    return rest
  }

  /// Accepts the connections that the system has accepted for us before.
  private func acceptWaiting(_ listener: Int32) {
    while let daemon {
      var storage = sockaddr_storage()
      var length = socklen_t(MemoryLayout.size(ofValue: storage))
      withUnsafeMutableBytes(of: &storage) { bytes in
        let address = bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self)
        let connection = accept(listener, address, &length)
        if connection >= 0 {
          MHD_add_connection(daemon, connection, address, length)
        } else {
          length = 0
        }
      }
      if length == 0 { return }
    }
  }

  /// The time in which new connections may begin their first request when draining.
  private static let firstRequestTime = Duration.seconds(1)

  /// Waits until no exchange has been going on for a moment; returns the number of those that are.
  private func waitForQuiet(upTo limit: Duration) -> Int {
    let end = ContinuousClock.now + limit
    let firstEnd = ContinuousClock.now + min(limit, Self.firstRequestTime)
    while watch.hasNew, ContinuousClock.now < firstEnd {
      _ = isOver.wait(upTo: .milliseconds(10), until: { $0 ? true : nil })
    }
    while true {
      let left = ContinuousClock.now.duration(to: end)
      guard left > .zero,
        exchanges.wait(upTo: left, until: { $0.isEmpty ? true : nil }) != nil
      else { return exchangeCount }
      // A client may be sending its next request on an open connection.
      let began = exchanges.wait(upTo: .milliseconds(100), until: { $0.isEmpty ? nil : true })
      if began == nil { return 0 }
    }
  }
}
