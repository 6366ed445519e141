import OcellusModelFile

/// The compression of a request's body (RFC 9110, section 8.4.1).
enum ContentCoding: String {
  case gzip
  case deflate

  /// Finds the coding of a request; `nil` if its body is not compressed.
  ///
  /// - Throws: `HTTPError` with the status 415 if the server does not know it.
  init?(_ request: HTTPRequest) throws(HTTPError) {
    let name = request.header("content-encoding")?.trimmed.lowercased() ?? ""
    switch name {
    case "", "identity": return nil
    case "gzip", "x-gzip": self = .gzip
    case "deflate": self = .deflate
    default:
      throw HTTPError(
        415, "the body is compressed as '\(name.prefix(60))'; send it as gzip, deflate or as it is",
        headers: [("Accept-Encoding", "gzip, deflate")])
    }
  }

  /// Decompresses a body.
  ///
  /// - Throws: `HTTPError` if it is damaged, or has more than `limit` bytes then.
  func decoded(_ body: [UInt8], limit: Int) throws(HTTPError) -> [UInt8] {
    do throws(ModelFileError) { return try contents(of: body, limit: limit) } catch {
      guard error.kind != .tooLarge else {
        throw HTTPError(413, "the body \(error.message); send less, or raise --max-body")
      }
      throw HTTPError(400, "the body is no \(self): \(error.message)")
    }
  }

  private func contents(of body: [UInt8], limit: Int) throws(ModelFileError) -> [UInt8] {
    try body.withUnsafeBufferPointer { body throws(ModelFileError) in
      switch self {
      case .gzip: try GzipFile.contents(of: UnsafeRawBufferPointer(body), limit: limit)
      case .deflate: try ZlibStream.contents(of: UnsafeRawBufferPointer(body), limit: limit)
      }
    }
  }
}
