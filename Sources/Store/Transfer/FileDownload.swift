import OcellusPlatform

/// A resumable download of one file.
///
/// The file grows in a private folder, and is used only after its length and digest are verified.
struct FileDownload {
  let client: WebClient
  let address: WebAddress
  let path: String
  /// The expected digest; `nil` if none is known.
  let sha256: String?
  /// The expected size in bytes, if known.
  let byteCount: Int?
  /// The largest allowed size in bytes.
  let limit: Int
  let progress: (_ received: Int, _ total: Int?) -> Void

  /// Downloads the missing bytes, verifies the file, and returns its digest.
  func run() throws(StoreError) -> String {
    try client.repeating { deadline throws(StoreError) in try attempt(deadline) }
  }

  private func attempt(_ deadline: ContinuousClock.Instant) throws(StoreError) -> String {
    let start = resumableCount()
    if start == 0 || start != byteCount { try transfer(from: start, deadline) }
    let digest = try inStore { () throws(FileError) in try FileSystem.sha256(of: path) }
    guard digest == sha256 ?? digest else {
      discard()
      let error = StoreError(
        .damaged, "\(address): the file has the digest \(digest), and \(sha256 ?? "") was offered")
      // A resumed file may combine two versions, so another attempt may succeed.
      throw start > 0 ? error.asTemporary() : error
    }
    return digest
  }

  // MARK: Partial files

  /// The path of the server's validator for the partial file.
  private var validatorPath: String { path + ".etag" }

  /// Returns the number of local bytes that are a trusted beginning of the file.
  private func resumableCount() -> Int {
    guard !FileSystem.isLink(path), let count = FileSystem.byteCount(of: path),
      sha256 != nil || strongValidator != nil,
      count <= byteCount ?? count
    else {
      discard()
      return 0
    }
    return count
  }

  private var strongValidator: String? {
    guard let bytes = try? FileSystem.read(validatorPath, limit: Validator.longest) else {
      return nil
    }
    let text = String(decoding: bytes, as: UTF8.self)
    return text.hasPrefix("\"") && Validator.isOne(text) ? text : nil
  }

  private func keep(validator: String?) throws(FileError) {
    try FileSystem.removeLink(validatorPath)
    if let validator {
      try FileSystem.write(Array(validator.utf8), to: validatorPath)
    } else {
      try FileSystem.remove(validatorPath)
    }
  }

  private func discard() {
    try? FileSystem.remove(path)
    try? FileSystem.remove(validatorPath)
  }

  // MARK: Transfer

  private func transfer(
    from start: Int, _ deadline: ContinuousClock.Instant
  ) throws(StoreError) {
    let file = try inStore { () throws(FileError) in try OpenFile(appendingTo: path) }
    var received = start
    var fields: [(name: String, value: String)] = []
    if start > 0 {
      fields.append(("Range", "bytes=\(start)-"))
      if let strongValidator { fields.append(("If-Range", strongValidator)) }
    }
    try client.ask(
      address, fields: fields, deadline: deadline,
      response: { head throws(StoreError) in
        received = try begin(file, head, askedFrom: start)
      },
      bytes: { chunk throws(StoreError) in
        received += chunk.count
        guard received <= byteCount ?? limit else { throw tooLong() }
        try inStore { () throws(FileError) in try file.write(chunk) }
        progress(received, byteCount)
      })
    guard received == byteCount ?? received else {
      throw StoreError(
        .unreachable, "\(address): the file ends after \(received) bytes of \(byteCount ?? 0)"
      ).asTemporary()
    }
    try inStore { () throws(FileError) in try file.synchronize() }
  }

  /// Checks the response's header; returns the offset of its first byte in the file.
  private func begin(
    _ file: OpenFile, _ head: WebResponse, askedFrom start: Int
  ) throws(StoreError) -> Int {
    switch head.status {
    case 200:
      try check(length: head.byteCount, behind: 0)
      return try inStore { () throws(FileError) in
        try file.cut()
        try keep(validator: head.validator)
        return 0
      }
    case 206 where start > 0 && Self.firstByte(of: head["content-range"]) == start:
      try check(length: head.byteCount, behind: start)
      return start
    case 206, 416:
      discard()
      throw StoreError(
        .serverFailed, "\(address): the server sends another range than was requested"
      )
      .asTemporary(after: .zero)
    default: throw WebClient.error(head, address)
    }
  }

  /// Returns the first byte of a content range: 100 for `bytes 100-199/200`.
  private static func firstByte(of range: String?) -> Int? {
    var scanner = ByteScanner(range ?? "")
    guard scanner.take("bytes "), let first = scanner.digits(1...18), scanner.take("-"),
      scanner.digits(1...18) != nil, scanner.take("/"),
      scanner.take("*") || scanner.digits(1...18) != nil, scanner.isAtEnd
    else { return nil }
    return first
  }

  private func check(length: Int?, behind start: Int) throws(StoreError) {
    guard let length else { return }
    let (whole, overflow) = start.addingReportingOverflow(length)
    guard !overflow, length >= 0, whole <= limit else { throw tooLong() }
    if let byteCount, whole != byteCount {
      throw StoreError(
        .damaged, "\(address): the file has \(whole) bytes, and \(byteCount) were offered")
    }
  }

  private func tooLong() -> StoreError {
    byteCount.map {
      StoreError(.damaged, "\(address): the file has more than the \($0) bytes that were offered")
    }
      ?? StoreError(
        .tooLarge, "\(address): the file has more than the \(limit) bytes that are allowed")
  }
}
