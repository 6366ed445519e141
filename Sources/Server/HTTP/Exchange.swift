import OcellusPlatform
import Synchronization

/// A request and its answer.
///
/// Unchecked: everything but the answer is used by the connection's thread, and while the connection
/// is suspended by the task that works on the request.
final class Exchange: @unchecked Sendable {
  /// How far the exchange is.
  enum Phase {
    /// The body is being received.
    case receiving
    /// The body is being received in vain, since the answer is an error already.
    case refusing
    /// The work is being done, and the connection is suspended.
    case working
    /// The answer is being sent.
    case answering
  }

  private(set) var request: HTTPRequest
  let start = MonotonicTime.now
  /// The address of the client.
  let client: String
  var phase = Phase.receiving
  /// The status of the answer, for the log.
  var status = 0
  /// The number of bytes of the answer, for the log.
  var answerBytes = 0
  private let room: BodyRoom
  private let bodyLimit: Int
  private let errorAnswer: @Sendable (HTTPError, HTTPRequest) -> HTTPResponse
  private var takenBytes = 0
  private var discardedBytes = 0
  private let answer = Mutex<HTTPResponse?>(nil)
  private let task = Mutex<Task<Void, Never>?>(nil)

  init(
    _ request: HTTPRequest, from client: String, room: BodyRoom, bodyLimit: Int,
    errorAnswer: @escaping @Sendable (HTTPError, HTTPRequest) -> HTTPResponse
  ) {
    self.request = request
    self.client = client
    self.room = room
    self.bodyLimit = bodyLimit
    self.errorAnswer = errorAnswer
  }

  deinit { room.giveBack(takenBytes) }

  /// The length of the body that the client announced; `nil` for a body in chunks.
  var announcedBytes: Int? { request.header("content-length").flatMap { Int($0) } }

  /// The number of bytes of a body that is too large which are read nevertheless.
  ///
  /// A client that is still sending when the connection is closed would not see the answer.
  private var discardLimit: Int { bodyLimit / 2 + 1 << 20 }

  /// Whether the body is so large that it is not worth reading it to its end.
  var isHopeless: Bool { announcedBytes.map { $0 > bodyLimit + discardLimit } ?? false }

  /// Takes a part of the body.
  ///
  /// - Returns: whether the client may go on sending.
  func receive(_ bytes: UnsafeRawBufferPointer) -> Bool {
    if case .refusing = phase {
      discardedBytes += bytes.count
      return discardedBytes <= bodyLimit + discardLimit
    }
    guard request.body.count + bytes.count <= bodyLimit else {
      refuse(Self.tooLarge(bodyLimit))
      return receive(bytes)
    }
    do throws(HTTPError) { try takeRoom(bytes.count) } catch {
      refuse(error)
      return receive(bytes)
    }
    if request.body.isEmpty, let announcedBytes {
      // No more in advance than most pictures need: the client may never send what it announced.
      request.body.reserveCapacity(min(announcedBytes, bodyLimit, 1 << 20))
    }
    request.body += bytes
    return true
  }

  private func takeRoom(_ count: Int) throws(HTTPError) {
    guard room.take(count) else {
      throw HTTPError(503, "the server has no memory for another picture; try again in a moment")
    }
    takenBytes += count
  }

  /// Decides on an error as the answer, before the body has arrived.
  func refuse(_ error: HTTPError) {
    phase = .refusing
    request.body = []
    room.giveBack(takenBytes)
    takenBytes = 0
    setAnswer(errorAnswer(error, request))
  }

  static func tooLarge(_ limit: Int) -> HTTPError {
    HTTPError(
      413,
      "the body has more than \(limit) bytes; send a smaller picture, or start the server with "
        + "a larger --max-body")
  }

  /// Returns the request with its body decompressed, and forgets the body, which the work has taken.
  func takeRequest() throws(HTTPError) -> HTTPRequest {
    var taken = request
    request.body = []
    guard let coding = try ContentCoding(taken) else { return taken }
    taken.body = try coding.decoded(taken.body, limit: bodyLimit)
    try takeRoom(taken.body.count)
    return taken
  }

  func setAnswer(_ response: HTTPResponse) { answer.withLock { $0 = response } }

  func takeAnswer() -> HTTPResponse? { answer.withLock { $0.take() } }

  /// Notes the task that works on the request, so that it can be cancelled.
  func setTask(_ work: Task<Void, Never>) { task.withLock { $0 = work } }

  func cancel() { task.withLock { $0 }?.cancel() }
}
