import Foundation
import OcellusPlatform
import Synchronization

/// A server that gives scripted answers, including faulty ones: truncated, slow and endless
/// answers.
package final class ScriptedServer: Sendable {
  /// A step of an answer.
  package enum Piece: Sendable {
    case text(String)
    case bytes([UInt8])
    case pause(milliseconds: UInt32)
    /// These bytes, repeated while the client is connected.
    case endless([UInt8])
    /// These bytes, repeated `times` with pauses while the client is connected.
    case repeated([UInt8], times: Int, pause: UInt32 = 0)
  }

  /// A client's request.
  package struct Request: Sendable {
    /// The path and the query.
    package let target: String
    /// The header fields by their lower-case names.
    package let fields: [String: String]
    /// The number of earlier requests for this target.
    package let earlier: Int
  }

  package let port: UInt16
  private let socket: Int32
  private let counts = Mutex<[String: Int]>([:])
  private let sent = Mutex(0)
  private let openAnswers = Mutex(0)
  private let answer: @Sendable (Request) -> [Piece]

  /// Starts a server on a port of this machine.
  package init(_ answer: @escaping @Sendable (Request) -> [Piece]) throws {
    self.answer = answer
    socket = OcellusPlatform.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    port = try Self.listen(socket)
    // A server lives as long as the test run.
    Thread.detachNewThread { self.serve() }
  }

  private static func listen(_ socket: Int32) throws -> UInt16 {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isListening = withUnsafeMutableBytes(of: &address) { bytes in
      guard let pointer = bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self) else {
        return false
      }
      return bind(socket, pointer, length) == 0 && OcellusPlatform.listen(socket, 64) == 0
        && getsockname(socket, pointer, &length) == 0
    }
    guard isListening else { throw FileError(failedAt: "socket") }
    return UInt16(bigEndian: address.sin_port)
  }

  /// Returns an unused port of this machine.
  static func unusedPort() throws -> UInt16 {
    let socket = OcellusPlatform.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(socket) }
    return try listen(socket)
  }

  /// Returns the number of requests for a target.
  package func count(of target: String) -> Int { counts.withLock { $0[target] ?? 0 } }

  /// The number of bytes that the system accepted for all clients.
  package var sentByteCount: Int { sent.withLock { $0 } }

  /// Waits until no answer is in progress; returns whether this happened within ten seconds.
  package func waitUntilDone() -> Bool {
    for _ in 0..<500 {
      if openAnswers.withLock({ $0 }) == 0 { return true }
      usleep(20_000)
    }
    return false
  }

  private func serve() {
    while true {
      let connection = accept(socket, nil, nil)
      guard connection >= 0 else { continue }
      openAnswers.withLock { $0 += 1 }
      Thread.detachNewThread {
        if let request = self.request(on: connection) {
          self.send(self.answer(request), on: connection)
        }
        close(connection)
        self.openAnswers.withLock { $0 -= 1 }
      }
    }
  }

  private func request(on connection: Int32) -> Request? {
    var head: [UInt8] = []
    var byte: UInt8 = 0
    while !head.suffix(4).elementsEqual("\r\n\r\n".utf8), head.count < 1 << 16 {
      guard recv(connection, &byte, 1, 0) == 1 else { return nil }
      head.append(byte)
    }
    let lines = String(decoding: head, as: UTF8.self).split(separator: "\r\n")
    guard let target = lines.first?.split(separator: " ").dropFirst().first.map(String.init) else {
      return nil
    }
    let fields = lines.dropFirst().compactMap { line -> (String, String)? in
      guard let colon = line.firstIndex(of: ":") else { return nil }
      return (
        line[..<colon].lowercased(),
        line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
      )
    }
    let earlier = counts.withLock { counts in
      defer { counts[target, default: 0] += 1 }
      return counts[target] ?? 0
    }
    return Request(
      target: target, fields: Dictionary(fields) { $1 }, earlier: earlier)
  }

  private func send(_ pieces: [Piece], on connection: Int32) {
    for piece in pieces {
      switch piece {
      case .text(let text): guard send(Array(text.utf8), on: connection) else { return }
      case .bytes(let bytes): guard send(bytes, on: connection) else { return }
      case .pause(let milliseconds): usleep(milliseconds * 1000)
      case .endless(let bytes): while send(bytes, on: connection) {}
      case .repeated(let bytes, let times, let pause):
        for _ in 0..<times {
          guard send(bytes, on: connection) else { return }
          if pause > 0 { usleep(pause * 1000) }
        }
      }
    }
  }

  private func send(_ bytes: [UInt8], on connection: Int32) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes {
        OcellusPlatform.send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return false }
      sent.withLock { $0 += count }
      rest = rest.dropFirst(count)
    }
    return true
  }
}

extension [ScriptedServer.Piece] {
  /// Returns a complete answer.
  package static func answer(
    _ status: String = "200 OK", fields: [String: String] = [:], _ body: [UInt8] = []
  ) -> Self {
    head(status, fields: fields.merging(["Content-Length": "\(body.count)"]) { $1 }) + [
      .bytes(body)
    ]
  }

  /// Returns a complete answer with status 200.
  package static func answer(_ body: [UInt8]) -> Self { .answer("200 OK", body) }

  /// Returns the header of an answer.
  package static func head(_ status: String = "200 OK", fields: [String: String] = [:]) -> Self {
    let lines = fields.map { "\($0.key): \($0.value)\r\n" }.joined()
    return [.text("HTTP/1.1 \(status)\r\nConnection: close\r\n\(lines)\r\n")]
  }
}
