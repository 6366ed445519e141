import OcellusPlatform

/// Asks servers until they answer: follows redirections, repeats what may succeed a little later, and knows
/// who may see credentials.
struct WebClient: Sendable {
  private static let mostRedirections = 8
  private static let longestPause = Duration.seconds(60)

  let transport: any ModelTransport
  let conditions: FetchConditions
  let cancellation: FetchCancellation
  /// Fields for one server alone, such as a token, and the origin of that.
  let credentials: Credentials?

  /// What is said to one server and to no other, wherever that may redirect to.
  struct Credentials: Sendable {
    let origin: String
    let fields: @Sendable () throws(StoreError) -> [(name: String, value: String)]
  }

  /// Does something that asks servers, again where that may help, until the conditions' time is over.
  func repeating<Result>(
    _ work: (_ deadline: ContinuousClock.Instant) throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    let deadline = ContinuousClock.now + conditions.totalTimeout
    var pause = conditions.firstPause
    var attempt = 1
    while true {
      do throws(StoreError) { return try work(deadline) } catch {
        guard error.isTemporary, attempt < conditions.attempts else { throw error }
        // Many who were cut off by the same server must not come back at the same time.
        let ownPause = pause * Double.random(in: 0.75...1.25)
        try sleep(min(error.pause ?? ownPause, Self.longestPause), until: deadline, orThrow: error)
      }
      attempt += 1
      pause *= 2
    }
  }

  private func sleep(
    _ pause: Duration, until deadline: ContinuousClock.Instant, orThrow error: StoreError
  ) throws(StoreError) {
    let end = ContinuousClock.now + pause
    guard end < deadline else { throw error }
    while ContinuousClock.now < end {
      if cancellation.isCancelled { throw StoreError(.cancelled, "the fetch was cancelled") }
      usleep(20_000)
    }
  }

  /// Asks once, wherever redirections lead; `response` sees the one that is none.
  func ask(
    _ address: WebAddress, fields: [(name: String, value: String)],
    deadline: ContinuousClock.Instant,
    response: (WebResponse) throws(StoreError) -> Void,
    bytes: (UnsafeRawBufferPointer) throws(StoreError) -> Void
  ) throws(StoreError) {
    var place = address
    for _ in 0...Self.mostRedirections {
      guard
        let next = try askOnce(place, fields, deadline, response: response, bytes: bytes)
      else { return }
      place = try place.resolving(next)
    }
    throw StoreError(.serverFailed, "\(address): redirections without end")
  }

  /// Asks one server; where it sends us instead.
  private func askOnce(
    _ address: WebAddress, _ fields: [(name: String, value: String)],
    _ deadline: ContinuousClock.Instant,
    response: (WebResponse) throws(StoreError) -> Void,
    bytes: (UnsafeRawBufferPointer) throws(StoreError) -> Void
  ) throws(StoreError) -> String? {
    // Compressed, a body could not be resumed, and its length would say nothing.
    var fields = fields + [("Accept-Encoding", "identity"), ("User-Agent", "ocellus")]
    if let credentials, credentials.origin == address.origin { fields += try credentials.fields() }
    var redirection: String?
    try transport.fetch(
      WebRequest(address, fields: fields),
      watch: TransferWatch(conditions, until: deadline, cancellation),
      response: { head throws(StoreError) in
        if [301, 302, 303, 307, 308].contains(head.status) {
          guard let location = head["location"] else {
            throw StoreError(.serverFailed, "\(address): a redirection to nowhere")
          }
          redirection = location
        } else {
          try response(head)
        }
      },
      bytes: { chunk throws(StoreError) in
        if redirection == nil { try bytes(chunk) }
      })
    return redirection
  }

  // MARK: Documents

  /// A small file, or that it is the one that is known already.
  enum Document {
    case unchanged
    case new(bytes: [UInt8], validator: String?)
  }

  /// Fetches a file of at most `limit` bytes, unless it still has the validator that it had.
  func document(
    at address: WebAddress, unless validator: String? = nil, limit: Int,
    explaining: (StoreError, _ body: [UInt8]) -> StoreError = { error, _ in error }
  ) throws(StoreError) -> Document {
    try repeating { deadline throws(StoreError) in
      var head: WebResponse?
      var body: [UInt8] = []
      try ask(
        address, fields: validator.map { [("If-None-Match", $0)] } ?? [], deadline: deadline,
        response: { head = $0 },
        bytes: { chunk throws(StoreError) in
          body += chunk
          guard body.count <= limit else {
            throw StoreError(.tooLarge, "\(address): the answer has more than \(limit) bytes")
          }
        })
      guard let head else { throw StoreError(.serverFailed, "\(address): no answer") }
      if head.status == 304 { return .unchanged }
      if head.status != 200 {
        throw explaining(Self.error(head, address), body)
      }
      return .new(bytes: body, validator: head["etag"])
    }
  }

  /// What an answer means that is none of those that were hoped for.
  static func error(_ response: WebResponse, _ address: WebAddress) -> StoreError {
    var error = Self.error(ofStatus: response.status, address)
    error.status = response.status
    guard error.isTemporary else { return error }
    let pause = response["retry-after"].flatMap(Int.init).map { Duration.seconds(max(0, $0)) }
    return error.asTemporary(after: pause)
  }

  private static func error(ofStatus status: Int, _ address: WebAddress) -> StoreError {
    switch status {
    case 401, 403, 407:
      StoreError(.refused, "\(address): the server refuses, with status \(status)")
    case 404, 410:
      StoreError(.notFound, "\(address): there is nothing, says the server (\(status))")
    case 408, 425, 429, 500...599:
      StoreError(.serverFailed, "\(address): the server fails, with status \(status)").asTemporary()
    default:
      StoreError(.serverFailed, "\(address): the server answers with status \(status)")
    }
  }
}
