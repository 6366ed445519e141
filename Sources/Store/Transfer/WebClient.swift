import OcellusPlatform

/// An HTTP client that follows redirections, retries temporary failures, and protects credentials.
struct WebClient: Sendable {
  private static let maximumRedirections = 8
  private static let longestPause = Duration.seconds(60)

  let transport: any ModelTransport
  let conditions: FetchConditions
  let cancellation: FetchCancellation
  /// The header fields for one origin, such as a token.
  let credentials: Credentials?

  /// Credentials for one origin, which are not sent to the target of a redirection elsewhere.
  struct Credentials: Sendable {
    let origin: String
    let fields: @Sendable () throws(StoreError) -> [(name: String, value: String)]
  }

  /// Runs `work`, and repeats it after temporary failures until the conditions' limits are reached.
  func repeating<Result>(
    _ work: (_ deadline: ContinuousClock.Instant) throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    let deadline = ContinuousClock.now + conditions.totalTimeout
    var pause = conditions.firstPause
    var attempt = 1
    while true {
      do throws(StoreError) { return try work(deadline) } catch {
        guard error.isTemporary, attempt < conditions.attempts else { throw error }
        // Random, so that clients that lost the same server do not all return at once.
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

  /// Sends one request and follows redirections; `response` gets the final response only.
  func ask(
    _ address: WebAddress, fields: [(name: String, value: String)],
    deadline: ContinuousClock.Instant,
    response: (WebResponse) throws(StoreError) -> Void,
    bytes: (UnsafeRawBufferPointer) throws(StoreError) -> Void
  ) throws(StoreError) {
    var target = address
    for _ in 0...Self.maximumRedirections {
      guard
        let next = try askOnce(target, fields, deadline, response: response, bytes: bytes)
      else { return }
      target = try target.resolving(next)
    }
    throw StoreError(.serverFailed, "\(address): redirections without end")
  }

  /// Sends a request to one server; returns the target if it redirects.
  private func askOnce(
    _ address: WebAddress, _ fields: [(name: String, value: String)],
    _ deadline: ContinuousClock.Instant,
    response: (WebResponse) throws(StoreError) -> Void,
    bytes: (UnsafeRawBufferPointer) throws(StoreError) -> Void
  ) throws(StoreError) -> String? {
    // A compressed body could not be resumed, and its length would not be that of the file.
    var fields = fields + [("Accept-Encoding", "identity"), ("User-Agent", "ocellus")]
    if let credentials, credentials.origin == address.origin { fields += try credentials.fields() }
    var redirection: String?
    var pace = TransferRateCheck(conditions)
    do throws(StoreError) {
      try transport.fetch(
        WebRequest(address, fields: fields),
        watch: TransferWatch(conditions, until: deadline, cancellation),
        response: { head throws(StoreError) in
          redirection = try Self.redirection(in: head, from: address)
          // The body of a redirection is not needed.
          if redirection != nil { throw Self.enough }
          try Self.checkEncoding(of: head, from: address)
          try response(head)
        },
        bytes: { chunk throws(StoreError) in
          if pace.isTooSlow(with: chunk.count) { throw tooSlow(address) }
          try bytes(chunk)
        })
    } catch {
      if redirection == nil { throw error }
    }
    return redirection
  }

  /// Thrown to end a transfer whose remaining bytes are not needed; callers never see it.
  private static let enough = StoreError(.cancelled, "the rest of the answer is not wanted")

  /// Returns the target of a redirection; `nil` for other responses.
  private static func redirection(
    in head: WebResponse, from address: WebAddress
  ) throws(StoreError) -> String? {
    guard [301, 302, 303, 307, 308].contains(head.status) else { return nil }
    if let location = head["location"] { return location }
    throw StoreError(.serverFailed, "\(address): a redirection to nowhere")
  }

  /// Rejects a compressed body, whose size is unpredictable and whose digest cannot match.
  private static func checkEncoding(
    of head: WebResponse, from address: WebAddress
  ) throws(StoreError) {
    let encodings = (head["content-encoding"] ?? "").lowercased().split { ", \t".contains($0) }
    let compressions: Set<Substring> = [
      "gzip", "x-gzip", "deflate", "compress", "x-compress", "br", "zstd",
    ]
    guard let encoding = encodings.first(where: compressions.contains) else { return }
    throw StoreError(
      .serverFailed,
      "\(address): the server compresses its answer (\(encoding)) although it was asked not to;"
        + " configure it to send this file uncompressed")
  }

  private func tooSlow(_ address: WebAddress) -> StoreError {
    StoreError(
      .timedOut, "\(address): the server sends less than \(conditions.minimumRate) bytes a second"
    ).asTemporary()
  }

  // MARK: Documents

  /// The largest part of an error response that is read for the server's explanation.
  private static let longestExplanation = 64 << 10

  /// A fetched document, or the information that it is unchanged.
  enum Document {
    case unchanged
    case new(bytes: [UInt8], validator: String?)
  }

  /// Fetches a file of at most `limit` bytes, unless it still has the given validator.
  ///
  /// The body of an error response is read only as far as `explaining` needs it, or not at all
  /// without it.
  func document(
    at address: WebAddress, unless validator: String? = nil, limit: Int,
    explaining: ((StoreError, _ body: [UInt8]) -> StoreError)? = nil
  ) throws(StoreError) -> Document {
    try repeating { deadline throws(StoreError) in
      var head: WebResponse?
      var body: [UInt8] = []
      do throws(StoreError) {
        try ask(
          address, fields: validator.map { [("If-None-Match", $0)] } ?? [], deadline: deadline,
          response: { answer throws(StoreError) in
            head = answer
            let isWanted = answer.status == 200
            if isWanted, answer.byteCount ?? 0 > limit { throw Self.tooLarge(address, limit) }
            if !isWanted, answer.status == 304 || explaining == nil { throw Self.enough }
          },
          bytes: { chunk throws(StoreError) in
            body += chunk
            let isWanted = head?.status == 200
            guard body.count > (isWanted ? limit : Self.longestExplanation) else { return }
            throw isWanted ? Self.tooLarge(address, limit) : Self.enough
          })
      } catch {
        // The status of an error response suffices, even if its body could not be received.
        let isOver = error.kind == .cancelled && error != Self.enough
        guard let head, head.status != 200, !isOver else { throw error }
      }
      guard let head else { throw StoreError(.serverFailed, "\(address): no answer") }
      if head.status == 304 { return .unchanged }
      if head.status != 200 {
        let error = Self.error(head, address)
        throw explaining?(error, body) ?? error
      }
      return .new(bytes: body, validator: head.validator)
    }
  }

  private static func tooLarge(_ address: WebAddress, _ limit: Int) -> StoreError {
    StoreError(.tooLarge, "\(address): the answer has more than \(limit) bytes")
  }

  /// Converts an unexpected response to an error.
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
      StoreError(.notFound, "\(address): the server has no such file (status \(status))")
    case 408, 425, 429, 500...599:
      StoreError(.serverFailed, "\(address): the server fails, with status \(status)").asTemporary()
    default:
      StoreError(.serverFailed, "\(address): the server answers with status \(status)")
    }
  }
}
