import Foundation
import OcellusPlatform
import OcellusTestSupport
import Testing

@testable import OcellusStore

/// A client reads bounded numbers of bytes and seconds of each answer, however much a host sends.
///
/// The servers here could send a quarter of a gigabyte, or send for half a minute, and then end by
/// themselves. The number of sent bytes shows whether the client stopped them.
@Suite(.enabled(if: Executable.isThere("curl"), "no curl on this machine"))
struct BoundedAnswerTests {
  /// The bytes that a server tries to send, and those that may be in transit when the client stops.
  private static let tooMuch = 256 << 20
  private static let onItsWay = 32 << 20
  private static let chunk = [UInt8](repeating: UInt8(ascii: "x"), count: 1 << 16)
  private static let flood = ScriptedServer.Piece.repeated(chunk, times: tooMuch / chunk.count)
  private static let good = ScriptedServer.Piece.bytes([1, 2, 3])

  private func store(_ host: ModelHost, _ transport: Transport = .curl) throws -> ModelStore {
    let store = try TestStore(transport)
    store.options.conditions.attempts = 1
    store.options.conditions.idleTimeout = .milliseconds(400)
    return store.from(host)
  }

  private func manifestStore(
    _ server: ScriptedServer, _ transport: Transport = .curl
  ) throws -> ModelStore {
    try store(.manifest("http://127.0.0.1:\(server.port)/manifest.json"), transport)
  }

  private func failure(
    _ answer: [ScriptedServer.Piece], _ transport: Transport = .curl
  ) throws -> (error: StoreError, sent: Int) {
    let server = try ScriptedServer { _ in answer }
    let store = try manifestStore(server, transport)
    let error = #expect(throws: StoreError.self) { try store.update("model") }
    #expect(server.waitUntilDone())
    return (try #require(error), server.sentByteCount)
  }

  // MARK: Bytes

  @Test(arguments: [301, 302, 303, 307, 308]) func bodiesOfRedirections(status: Int) throws {
    let server = try ScriptedServer { request in
      if request.target == "/model" { return .answer([1, 2, 3]) }
      return .head("\(status) Elsewhere", fields: ["Location": "/model"]) + [Self.flood]
    }
    let host = try ModelHost.file(
      "http://127.0.0.1:\(server.port)/moved", name: "model",
      sha256: SHA256.hash([1, 2, 3]).hexadecimal)
    #expect(try store(host).update("model").byteCount == 3)
    #expect(server.waitUntilDone())
    #expect(server.sentByteCount < Self.onItsWay)
  }

  /// Foundation hides a redirection's body until its end, so an endless one ends with an idle
  /// timeout.
  @Test func bodiesOfRedirectionsThroughFoundation() throws {
    let body = ScriptedServer.Piece.repeated(Self.chunk, times: 400, pause: 20)
    let (error, sent) = try failure(
      .head("302 Elsewhere", fields: ["Location": "/model"]) + [body], .urlSession)
    #expect(error.kind == .timedOut)
    #expect(sent < 400 * Self.chunk.count)
  }

  @Test(arguments: [
    ("304 Not Modified", StoreError.Kind.serverFailed), ("403 Forbidden", .refused),
    ("404 Not Found", .notFound), ("500 Error", .serverFailed), ("206 Partial", .serverFailed),
    ("299 Strange", .serverFailed),
  ])
  func bodiesOfRefusals(status: String, kind: StoreError.Kind) throws {
    let (error, sent) = try failure(.head(status) + [Self.flood])
    #expect(error.kind == kind)
    #expect(sent < Self.onItsWay)
  }

  /// The body of a refusal, in which Firebase explains it, is read only as far as an explanation
  /// goes.
  @Test func bodiesOfExplanations() throws {
    let server = try ScriptedServer { _ in .head("404 Not Found") + [Self.flood] }
    var project = FirebaseProject(identifier: "project", apiKey: "key")
    project.baseURL = "http://127.0.0.1:\(server.port)"
    let store = try store(.firebase(project))
    let error = #expect(throws: StoreError.self) { try store.update("model") }
    #expect(error?.kind == .notFound)
    #expect(server.waitUntilDone())
    #expect(server.sentByteCount < Self.onItsWay)
  }

  @Test func manifestsThatAnnounceTooMuch() throws {
    let head = [ScriptedServer.Piece].head(fields: ["Content-Length": "\(Self.tooMuch)"])
    let (error, sent) = try failure(head + [Self.flood])
    #expect(error.kind == .tooLarge)
    #expect(sent < Self.onItsWay)
  }

  @Test func manifestsWithoutALength() throws {
    let (error, sent) = try failure(.head() + [Self.flood])
    #expect(error.kind == .tooLarge)
    #expect(sent < Self.onItsWay)
  }

  /// The header's limit is our own, because a transport may have none.
  @Test func headersBeyondTheLimit() throws {
    var head = ResponseHead(limit: 100)
    var bytes = Array(
      ("HTTP/1.1 200 OK\r\n" + String(repeating: "a: b\r\n", count: 20)).utf8)[...]
    let error = #expect(throws: StoreError.self) { try head.take(&bytes) }
    #expect(error?.kind == .serverFailed)
    // The rest is left alone.
    #expect(bytes.count == 17 + 120 - 101)
  }

  /// Endless header lines, a header line without an end, and endless interim answers are cut off.
  @Test(arguments: [
    ("HTTP/1.1 200 OK\r\n", "Field: value\r\n"), ("HTTP/1.1 200 OK\r\nField: ", "value"),
    ("HTTP/1.1 ", "2"), ("", "HTTP/1.1 100 Continue\r\n\r\n"), ("", "no http\r\n"), ("", "\r\n"),
  ])
  func linesWithoutEnd(beginning: String, line: String) throws {
    let lines = Array(String(repeating: line, count: 1000).utf8)
    let (error, sent) = try failure([
      .text(beginning), .repeated(lines, times: Self.tooMuch / lines.count),
    ])
    #expect([.serverFailed, .unreachable, .malformed].contains(error.kind), "\(error)")
    #expect(sent < Self.onItsWay)
  }

  /// A file longer than the manifest says is cut off, whatever length the server announces.
  @Test(arguments: [[:], ["Content-Length": "3"], ["Content-Length": "-3"]])
  func filesThatAreTooLong(fields: [String: String]) throws {
    let server = try ScriptedServer { request in
      if request.target == "/model" { return .head(fields: fields) + [Self.good, Self.flood] }
      let file = ManifestText.File(
        url: "/model", sha256: SHA256.hash([1, 2, 3]).hexadecimal, byteCount: 3)
      return .answer(Array(ManifestText.text([("model", [.init(version: "1", file: file)])]).utf8))
    }
    let store = try manifestStore(server)
    // With a Content-Length of 3 the transport may stop after the file that was offered.
    let result = Result { try store.update("model") }
    #expect((try? result.get().byteCount) ?? 3 == 3)
    #expect(server.waitUntilDone())
    #expect(server.sentByteCount < Self.onItsWay)
  }

  @Test(arguments: Transport.allCases, ["gzip", "GZIP", "x, br", "zstd"])
  func compressedAnswers(transport: Transport, encoding: String) throws {
    let (error, _) = try failure(
      .answer(fields: ["Content-Encoding": encoding], Array("{}".utf8)), transport)
    // Foundation may wait for the rest of a body that it cannot decompress.
    #expect(
      error.kind == .serverFailed || transport == .urlSession && error.kind == .timedOut,
      "\(error)")
    #expect(error.message.contains("compresses") || transport == .urlSession)
  }

  // MARK: Time

  /// A server that sends one byte now and then, in the header or the body, is given up.
  @Test(arguments: [
    ("", "HTTP/1.1 100 Continue\r\n\r\n"), ("HTTP/1.1 200 OK\r\n", "Field: value\r\n"),
    ("HTTP/1.1 200 OK\r\n\r\n", " "), ("HTTP/1.1 404 Not Found\r\n\r\n", " "),
  ])
  func trickles(beginning: String, line: String) throws {
    let times = 600
    let (error, sent) = try failure([
      .text(beginning), .repeated(Array(line.utf8), times: times, pause: 50),
    ])
    #expect(error.kind == (beginning.contains("404") ? .notFound : .timedOut))
    #expect(sent < beginning.utf8.count + line.utf8.count * times / 2)
  }

  @Test func tricklesOfFiles() throws {
    let server = try ScriptedServer { _ in
      .head(fields: ["Content-Length": "600"]) + [.repeated([1], times: 600, pause: 50)]
    }
    let host = try ModelHost.file(
      "http://127.0.0.1:\(server.port)/model", name: "model",
      sha256: SHA256.hash([1]).hexadecimal)
    let error = #expect(throws: StoreError.self) { try store(host).update("model") }
    #expect(error?.kind == .timedOut)
    #expect(error?.message.contains("bytes a second") == true)
  }

  @Test func paces() {
    var conditions = FetchConditions()
    conditions.idleTimeout = .seconds(10)
    conditions.minimumRate = 100
    let start = ContinuousClock.now
    var pace = TransferRateCheck(conditions)
    // A server may wait long before its first byte, and be slow for part of the time.
    let arrivals = [(1, 100), (1, 109), (998, 110), (900, 111), (99, 120)]
    let verdicts = arrivals.map { count, seconds in
      pace.isTooSlow(with: count, at: start + .seconds(seconds))
    }
    #expect(verdicts == [false, false, false, false, true])
  }

  // MARK: What servers say about files

  /// An ETag that cannot be sent back is not stored, because it would break each later request.
  @Test func validatorsThatAreNone() throws {
    let bytes: [UInt8] = [1, 2, 3]
    let server = try ScriptedServer { request in
      if request.target == "/model" { return .answer(bytes) }
      let file = ManifestText.File(
        url: "/model", sha256: SHA256.hash(bytes).hexadecimal, byteCount: bytes.count)
      return .answer(
        fields: ["ETag": "\"ä\u{1}\""],
        Array(ManifestText.text([("model", [.init(version: "1", file: file)])]).utf8))
    }
    let store = try manifestStore(server)
    for _ in 0..<2 { #expect(try store.update("model").byteCount == 3) }
  }

  /// The sum of two lengths that overflows an integer is an error.
  @Test func lengthsBeyondNumbers() throws {
    let file = ManifestText.File(
      url: "a.tflite", sha256: SHA256.hash([1]).hexadecimal, byteCount: .max)
    let server = try ScriptedServer { _ in
      .answer(
        Array(
          ManifestText.text([("model", [.init(version: "1", file: file, labels: file)])]).utf8))
    }
    let store = try manifestStore(server)
    let error = #expect(throws: StoreError.self) { try store.update("model") }
    #expect(error?.kind == .tooLarge)
  }

  /// A damaged cached manifest is downloaded again without a validator.
  @Test func keptManifestsThatAreNone() throws {
    let folder = try TestStore()
    let server = try ScriptedServer { request in
      if request.target == "/model" { return .answer([1]) }
      if request.fields["if-none-match"] == "\"a\"" { return .answer("304 Not Modified") }
      let file = ManifestText.File(
        url: "/model", sha256: SHA256.hash([1]).hexadecimal, byteCount: 1)
      return .answer(
        fields: ["ETag": "\"a\""],
        Array(ManifestText.text([("model", [.init(version: "1", file: file)])]).utf8))
    }
    let address = try WebAddress("http://127.0.0.1:\(server.port)/manifest.json")
    let documents = ModelCache(root: folder.folder.path).documents
    documents.keep(Array("{}".utf8), validator: "\"a\"", of: address)
    #expect(try folder.from(address.text).update("model").byteCount == 1)
  }
}
