import OcellusPlatform
import Synchronization

/// The time that each connection has left for what it does.
///
/// libmicrohttpd only limits the time in which nothing arrives: a client that sends a byte every
/// second would stay for ever.
final class ConnectionWatch: Sendable {
  private struct Connection {
    var socket: Int32
    /// Whether no request has come yet.
    var isNew = true
    /// Whether the connection waits for something from its client.
    var isReceiving = true
    /// Whether the client had left at the last look: what it has sent may still be on its way to the
    /// request, so the connection is cut at the second one.
    var hadEnded = false
    /// The time when the connection is cut, in nanoseconds; `nil` while the server works for it.
    var deadline: Int?
  }

  private let connections = Mutex<[ConnectionHandle: Connection]>([:])

  /// The number of open connections.
  var count: Int { connections.withLock { $0.count } }

  /// Whether there is a connection whose first request has not come yet.
  var hasNew: Bool { connections.withLock { $0.values.contains(where: \.isNew) } }

  func add(_ connection: ConnectionHandle, socket: Int32, time: Duration) {
    let added = Connection(socket: socket, deadline: Self.deadline(time))
    connections.withLock { $0[connection] = added }
  }

  /// Forgets a connection, before its socket is closed.
  func remove(_ connection: ConnectionHandle) {
    connections.withLock { _ = $0.removeValue(forKey: connection) }
  }

  /// Sets the time that a connection has from now on; `nil`: no limit.
  ///
  /// `isReceiving` says whether it waits for something from its client.
  func limit(_ connection: ConnectionHandle, to time: Duration?, isReceiving: Bool = false) {
    let deadline = time.map { Self.deadline($0) }
    connections.withLock { connections in
      connections[connection]?.deadline = deadline
      connections[connection]?.isReceiving = isReceiving
      connections[connection]?.hadEnded = false
      connections[connection]?.isNew = false
    }
  }

  /// Cuts all connections whose time has passed, or whose clients have left in the middle of a
  /// request, which libmicrohttpd does not notice.
  func cutLate() {
    let now = MonotonicTime.now.nanoseconds
    connections.withLock { connections in
      for (key, connection) in connections {
        let isLate = connection.deadline.map { $0 < now } ?? false
        let hasEnded = connection.isReceiving && Self.hasEnded(connection.socket)
        connections[key]?.hadEnded = hasEnded
        guard isLate || hasEnded && connection.hadEnded else { continue }
        // The socket is closed only after `remove`, so it is still this connection's.
        shutdown(connection.socket, Int32(SHUT_RDWR))
        connections[key]?.deadline = nil
        connections[key]?.isReceiving = false
      }
    }
  }

  /// Whether a client will send nothing more, and everything that it has sent was read.
  private static func hasEnded(_ socket: Int32) -> Bool {
    var byte: UInt8 = 0
    return recv(socket, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT)) == 0
  }

  private static func deadline(_ time: Duration) -> Int {
    let (seconds, attoseconds) = time.components
    return MonotonicTime.now.nanoseconds + Int(seconds) * 1_000_000_000
      + Int(attoseconds / 1_000_000_000)
  }
}
