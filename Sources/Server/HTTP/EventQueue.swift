import CMicrohttpd
import OcellusPlatform
import Synchronization

/// Events that wait to be sent to one client.
package final class EventQueue: Sendable {
  /// The most bytes that wait for a slow client; it is disconnected when there would be more.
  private static let maximumWaiting = 1 << 20

  private struct State {
    var waiting: [UInt8] = []
    var isClosed = false
    var connection: ConnectionHandle?
    var isSuspended = false
  }

  private let state = Mutex(State())

  package init() {}

  /// Whether nobody listens any more.
  package var isClosed: Bool { state.withLock { $0.isClosed } }

  /// Sends an event; its data must not contain line breaks.
  package func send(_ name: String, _ data: String) {
    append("event: \(name)\ndata: \(data)\n\n")
  }

  /// Sends a comment, by which a client that has left is noticed.
  func sendHeartbeat() { append(":\n\n") }

  private func append(_ text: String) {
    change { state in
      guard !state.isClosed else { return }
      if state.waiting.count + text.utf8.count > Self.maximumWaiting {
        state.isClosed = true
      } else {
        state.waiting += text.utf8
      }
    }
  }

  /// Ends the events once those that wait are sent.
  package func close() { change { $0.isClosed = true } }

  private func change(_ body: (inout State) -> Void) {
    state.withLock { state in
      body(&state)
      guard state.isSuspended, let connection = state.connection else { return }
      state.isSuspended = false
      connection.resume()
    }
  }

  /// Begins to send to a connection.
  func attach(to connection: ConnectionHandle) {
    state.withLock { $0.connection = connection }
  }

  /// Notes that the connection is closed.
  func detach() {
    state.withLock { state in
      state.connection = nil
      state.isSuspended = false
      state.isClosed = true
      state.waiting = []
    }
  }

  /// Copies events into a buffer; suspends the connection if there are none.
  ///
  /// - Returns: the number of bytes, or what libmicrohttpd takes for the end.
  func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    state.withLock { state in
      guard state.waiting.isEmpty else {
        let count = min(buffer.count, state.waiting.count)
        buffer.copyBytes(from: state.waiting[..<count])
        state.waiting.removeFirst(count)
        return count
      }
      if state.isClosed { return content_end() }
      if let connection = state.connection {
        state.isSuspended = true
        connection.suspend()
      }
      return 0
    }
  }
}
