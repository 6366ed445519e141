import OcellusEngine
import OcellusJSON
import OcellusPlatform
import OcellusServer
import OcellusVision

/// A server of the package's models on a free port of this machine, and a client of it.
final class LiveServer {
  let service: Service
  private let server: HTTPServer
  private let port: UInt16

  init(
    _ models: [ModelSpecification] = ModelSpecification.defaults,
    change: (inout Service.Configuration) -> Void = { _ in }
  ) throws {
    var configuration = Service.Configuration()
    change(&configuration)
    let registry = try ModelRegistry(
      models,
      ServedModel.Settings(
        resolve: { $0 }, describe: { ["model": .string($0)] }, readPreparation: { _ in .init() },
        budget: .init(), viewers: 2, limits: configuration.limits))
    service = Service(registry, configuration, log: nil)
    server = try HTTPServer(
      try ListeningSocket(.network("127.0.0.1", 0)), limits: configuration.limits, handler: service)
    guard case .network(_, let port) = server.address else { throw ServerError("no port") }
    self.port = port
  }

  // Draining waits for tasks, and must not occupy a thread that tasks share.
  deinit { SystemThread.run { [server] in _ = server.drain() } }

  /// Drains the server; returns the number of requests that were not answered.
  @discardableResult
  func stop() async -> Int {
    await Self.blocking { [server] in server.drain() }
  }

  /// Does blocking work on a thread of its own: the server's tasks need those that tasks share.
  private static func blocking<Result: Sendable>(
    _ work: @escaping @Sendable () -> Result
  ) async -> Result {
    await withCheckedContinuation { caller in
      SystemThread.run { caller.resume(returning: work()) }
    }
  }

  var connectionCount: Int { server.connectionCount }

  /// An answer as it came.
  struct Answer {
    var status: Int
    var headers: String
    var body: [UInt8]

    var json: JSONObject {
      get throws { try JSONParser.parse(body).object ?? [:] }
    }
  }

  /// Sends a request and reads the answer until the connection is closed.
  func ask(
    _ method: String, _ path: String, _ body: [UInt8] = [], headers: [String] = []
  ) async throws -> Answer {
    let lines =
      ["\(method) \(path) HTTP/1.1", "Host: localhost", "Connection: close"] + headers
      + (body.isEmpty ? [] : ["Content-Length: \(body.count)"]) + ["", ""]
    return try await exchange(Array(lines.joined(separator: "\r\n").utf8) + body)
  }

  /// Sends bytes on a connection of their own, and reads what comes back.
  func exchange(_ bytes: [UInt8]) async throws -> Answer {
    let connection = try connect()
    defer { close(connection) }
    return Self.parse(
      await Self.blocking {
        Self.send(bytes, to: connection)
        return Self.read(connection)
      })
  }

  func connect() throws -> Int32 {
    #if canImport(Glibc)
      let connection = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #else
      let connection = socket(AF_INET, SOCK_STREAM, 0)
    #endif
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let length = socklen_t(MemoryLayout.size(ofValue: address))
    let code = withUnsafeBytes(of: address) { bytes in
      OcellusPlatform.connect(
        connection, bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self), length)
    }
    guard code == 0 else { throw ServerError("cannot connect: \(errno)") }
    return connection
  }

  func send(_ bytes: [UInt8], to connection: Int32) { Self.send(bytes, to: connection) }

  func read(_ connection: Int32) async -> [UInt8] {
    await Self.blocking { Self.read(connection) }
  }

  private static func send(_ bytes: [UInt8], to connection: Int32) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes {
        OcellusPlatform.send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
  }

  private static func read(_ connection: Int32) -> [UInt8] {
    var (all, part) = ([UInt8](), [UInt8](repeating: 0, count: 1 << 16))
    while true {
      let count = OcellusPlatform.read(connection, &part, part.count)
      guard count > 0 else { return all }
      all += part[..<count]
    }
  }

  private static func parse(_ bytes: [UInt8]) -> Answer {
    let text = String(decoding: bytes, as: UTF8.self)
    guard let range = text.firstRange(of: "\r\n\r\n") else {
      return Answer(status: 0, headers: text, body: [])
    }
    let headers = String(text[..<range.lowerBound])
    let status = headers.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
    let start = headers.utf8.count + 4
    return Answer(status: status, headers: headers, body: Array(bytes.dropFirst(start)))
  }
}
