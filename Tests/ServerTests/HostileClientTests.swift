import OcellusPlatform
import Testing

@testable import OcellusServer

/// Clients that do not do what they should.
@Suite(.serialized) struct HostileClientTests {
  @Test func slowHeadersAndBodiesAreCut() async throws {
    let server = try LiveServer {
      $0.limits.headerTime = .milliseconds(300)
      $0.limits.bodyTime = .milliseconds(300)
    }
    let head = "POST /detect HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n\r\n"
    for start in ["POST /detect HT", head, head + "x"] {
      let connection = try server.connect()
      defer { close(connection) }
      server.send(Array(start.utf8), to: connection)
      // Reading ends when the server cuts the connection.
      _ = await server.read(connection)
    }
    #expect(try await server.ask("GET", "/health").status == 200)
  }

  @Test func othersAreAnsweredBesideManyHalfOpenConnections() async throws {
    let server = try LiveServer()
    let connections = try (0..<100).map { _ in try server.connect() }
    defer { for connection in connections { close(connection) } }
    for connection in connections { server.send(Array("POST /det".utf8), to: connection) }
    #expect(try await server.ask("GET", "/health").status == 200)
  }

  @Test func chunkedBombsAreRefused() async throws {
    let server = try LiveServer { $0.limits.bodyBytes = 1 << 20 }
    let connection = try server.connect()
    defer { close(connection) }
    server.send(
      Array("POST /detect HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n".utf8),
      to: connection)
    let chunk = Array("10000\r\n".utf8) + [UInt8](repeating: 0, count: 0x10000) + Array("\r\n".utf8)
    for _ in 0..<64 { server.send(chunk, to: connection) }
    server.send(Array("0\r\n\r\n".utf8), to: connection)
    _ = await server.read(connection)
    #expect(try await server.ask("GET", "/health").status == 200)
  }

  @Test func tooManyHeadersAreRefused() async throws {
    let server = try LiveServer()
    let headers = (0..<10_000).map { "X-Header-\($0): value" }
    let answer = try await server.ask("GET", "/health", headers: headers)
    #expect([0, 413, 431].contains(answer.status))
    #expect(try await server.ask("GET", "/health").status == 200)
  }

  @Test(arguments: [
    "\r\n\r\n\r\n", "GET\r\n\r\n", "GET / HTTP/9.9\r\n\r\n", "\u{0}\u{1}\u{2}\r\n\r\n",
    "POST /detect HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n",
    "POST /detect HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999999999999999\r\n\r\n",
    "POST /detect HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
    "POST /detect HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffffff\r\n",
    "GET /%00%ff%zz?%=&&= HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
  ])
  func brokenRequests(text: String) async throws {
    let server = try LiveServer {
      $0.limits.headerTime = .milliseconds(300)
      $0.limits.bodyTime = .milliseconds(300)
    }
    _ = try await server.exchange(Array(text.utf8))
    #expect(try await server.ask("GET", "/health").status == 200)
  }

  @Test func clientsThatLeaveHarmNobody() async throws {
    let server = try LiveServer()
    let body = [UInt8](repeating: 7, count: 5000)
    let head = Array("POST /detect HTTP/1.1\r\nHost: x\r\nContent-Length: 5000\r\n\r\n".utf8)
    for count in [0, 10, head.count, head.count + 100, head.count + 5000] {
      let connection = try server.connect()
      server.send(Array((head + body).prefix(count)), to: connection)
      close(connection)
    }
    #expect(try await server.ask("GET", "/health").status == 200)
    #expect(await server.stop() == 0)
  }

  @Test func drainingAnswersWhatHasArrived() async throws {
    let server = try LiveServer()
    let connection = try server.connect()
    defer { close(connection) }
    let body = Array("no picture".utf8)
    server.send(
      Array("POST /detect HTTP/1.1\r\nHost: x\r\nContent-Length: \(body.count)\r\n\r\n".utf8)
        + body,
      to: connection)
    #expect(await server.stop() == 0)
    let text = String(decoding: await server.read(connection), as: UTF8.self)
    #expect(text.hasPrefix("HTTP/1.1 415"))
  }

  @Test func aFullServerRefusesAtOnce() async throws {
    let server = try LiveServer { $0.limits.allBodyBytes = 1 << 10 }
    let answer = try await server.ask("POST", "/detect", [UInt8](repeating: 0, count: 2 << 10))
    #expect(answer.status == 503 && answer.headers.contains("Retry-After"))
    #expect(try await server.ask("POST", "/detect", [1]).status == 415)
  }
}
