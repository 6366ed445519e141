import OcellusJSON
import Synchronization

/// The clients that are told what is found in the frames of streams.
final class StreamListeners: Sendable {
  private let queues = Mutex<[String: [EventQueue]]>([:])

  /// Adds a listener to a stream.
  func listen(to stream: String) -> EventQueue {
    let queue = EventQueue()
    queues.withLock { queues in
      queues = queues.compactMapValues { list in
        let open = list.filter { !$0.isClosed }
        return open.isEmpty ? nil : open
      }
      queues[stream, default: []].append(queue)
    }
    return queue
  }

  /// The number of listeners to a stream.
  func listenerCount(of stream: String) -> Int { queues.withLock { $0[stream]?.count ?? 0 } }

  /// Sends a frame's answer to all listeners of its stream.
  func send(_ answer: JSONValue, to stream: String) {
    let listeners = queues.withLock { queues in
      queues[stream]?.removeAll(where: \.isClosed)
      return queues[stream] ?? []
    }
    guard !listeners.isEmpty else { return }
    let text = answer.text
    for listener in listeners { listener.send("frame", text) }
  }
}
