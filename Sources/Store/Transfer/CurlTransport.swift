import OcellusPlatform

/// A transport that runs the system's `curl`, one process per request.
///
/// It needs no networking library, which keeps programs small and their start fast. The request is
/// passed to curl through a pipe, so that other users of the machine cannot see credentials among
/// its arguments.
public struct CurlTransport: ModelTransport {
  private static let longestHead = 64 << 10

  private let program: String
  private let authorities: String?

  /// Creates a transport that runs the `curl` in `PATH`.
  ///
  /// - Parameter authorities: A file of certificates to trust instead of the system's.
  public init(authorities: String? = nil) {
    self.init(program: "curl", authorities: authorities)
  }

  init(program: String, authorities: String?) {
    self.program = program
    self.authorities = authorities
  }

  /// Sends the request, and passes on the response and its bytes.
  public func fetch(
    _ request: WebRequest, watch: TransferWatch,
    response: (WebResponse) throws(StoreError) -> Void,
    bytes: (UnsafeRawBufferPointer) throws(StoreError) -> Void
  ) throws(StoreError) {
    let process = try start(request, watch)
    var watch = watch
    var head = ResponseHead(limit: Self.longestHead)
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      try watch.check(request.address)
      let count = try Self.read(process, into: &chunk)
      guard let count else { continue }
      if count == 0 { break }
      try Self.deliver(chunk[..<count], &head, response, bytes)
      // An incomplete header does not count as progress, however many lines arrive.
      if head.isComplete { watch.noteSignOfLife() }
    }
    try Self.judge(process.end(), request.address, hasResponse: head.isComplete)
  }

  private func start(
    _ request: WebRequest, _ watch: TransferWatch
  ) throws(StoreError) -> ChildProcess {
    // The option -q comes first, to ignore the user's .curlrc.
    do throws(FileError) {
      return try ChildProcess(
        program, ["-q", "--config", "-"], input: Array(settings(request, watch).utf8))
    } catch {
      guard error.problem == .system(ENOENT) else { throw StoreError(error) }
      throw StoreError(
        .unreachable, "there is no curl in PATH, which models are fetched with: install it")
    }
  }

  private func settings(_ request: WebRequest, _ watch: TransferWatch) -> String {
    var lines = [
      "silent", "show-error", "include", "suppress-connect-headers", "globoff", "path-as-is",
      "no-buffer", "output = \"-\"",
      "proto = \"=\(request.address.scheme.rawValue)\"",
      "connect-timeout = \(max(1, watch.connectionTimeout.components.seconds))",
      // Ends a curl that is orphaned because this process was killed.
      "max-time = \(watch.remaining.components.seconds + 5)",
      "url = \(Self.quoted(request.address.text))",
    ]
    lines += request.fields.map { name, value in
      // By this syntax curl sends a header with an empty value, which it would otherwise omit.
      "header = " + Self.quoted(value.isEmpty ? "\(name);" : "\(name): \(value)")
    }
    if let authorities { lines.append("cacert = " + Self.quoted(authorities)) }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func quoted(_ text: String) -> String {
    "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
  }

  private static func read(
    _ process: ChildProcess, into chunk: inout [UInt8]
  ) throws(StoreError) -> Int? {
    let result = chunk.withUnsafeMutableBytes { buffer in
      Result { () throws(FileError) in try process.read(into: buffer, milliseconds: 100) }
    }
    return try inStore { () throws(FileError) in try result.get() }
  }

  private static func deliver(
    _ chunk: ArraySlice<UInt8>, _ head: inout ResponseHead,
    _ response: (WebResponse) throws(StoreError) -> Void,
    _ bytes: (UnsafeRawBufferPointer) throws(StoreError) -> Void
  ) throws(StoreError) {
    var rest = chunk
    if !head.isComplete {
      guard let complete = try head.take(&rest) else { return }
      try response(complete)
    }
    guard !rest.isEmpty else { return }
    let result = rest.withUnsafeBytes { buffer in
      Result { () throws(StoreError) in try bytes(buffer) }
    }
    try result.get()
  }

  /// Converts curl's exit code to an error.
  private static func judge(
    _ end: ChildProcess.End, _ address: WebAddress, hasResponse: Bool
  ) throws(StoreError) {
    if end.code == 0, hasResponse { return }
    var reason = end.complaints.split(separator: "\n").first.map(String.init) ?? "no answer"
    if reason.hasPrefix("curl: ("), let end = reason.firstIndex(of: ")") {
      reason = String(reason[reason.index(after: end)...].drop { $0 == " " })
    }
    switch end.code {
    case 28: throw StoreError(.timedOut, "\(address): \(reason)").asTemporary()
    // Failures of TLS and certificates, which a retry does not repair.
    case 35, 51, 53, 54, 58, 59, 60, 64, 66, 77, 80, 82, 83, 90, 91, 98:
      throw StoreError(.unreachable, "\(address): \(reason)")
    // Options that this curl does not know, or an address that it rejects.
    case 1, 2, 3, 4, 26, 43: throw StoreError(.malformed, "\(address): \(reason)")
    default: throw StoreError(.unreachable, "\(address): \(reason)").asTemporary()
    }
  }
}

/// A parser for the header of a response that arrives in fragments.
struct ResponseHead {
  /// The largest size of all header lines, including those of informational responses (1xx).
  private let limit: Int
  private var byteCount = 0
  private var text: [UInt8] = []
  private(set) var isComplete = false

  init(limit: Int) { self.limit = limit }

  /// Consumes the header's bytes; returns the response once the header is complete.
  ///
  /// Informational responses (1xx) are skipped.
  mutating func take(_ bytes: inout ArraySlice<UInt8>) throws(StoreError) -> WebResponse? {
    while let byte = bytes.popFirst() {
      text.append(byte)
      byteCount += 1
      guard byteCount <= limit else {
        throw StoreError(
          .serverFailed, "the server's answer has more than \(limit) bytes in front of its contents"
        )
      }
      guard byte == UInt8(ascii: "\n"), endsWithEmptyLine else { continue }
      let response = try parsed()
      text = []
      if (100..<200).contains(response.status) { continue }
      isComplete = true
      return response
    }
    return nil
  }

  private var endsWithEmptyLine: Bool {
    text.suffix(2) == Array("\n\n".utf8)[...] || text.suffix(3) == Array("\n\r\n".utf8)[...]
  }

  private func parsed() throws(StoreError) -> WebResponse {
    let lines = String(decoding: text, as: UTF8.self).split { $0.isNewline }
    let words = lines.first?.split(separator: " ") ?? []
    guard words.count >= 2, words[0].hasPrefix("HTTP/"), let status = Int(words[1]) else {
      throw StoreError(.serverFailed, "the server's answer is not HTTP")
    }
    let fields = lines.dropFirst().compactMap { line -> (name: String, value: String)? in
      guard let colon = line.firstIndex(of: ":") else { return nil }
      let value = line[line.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
      return (String(line[..<colon]), String(value))
    }
    return WebResponse(status: status, fields: fields)
  }
}
