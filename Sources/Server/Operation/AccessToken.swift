/// The secret that clients must know.
enum AccessToken {
  static let error = HTTPError(
    401, "the server wants a token: send it in the header Authorization: Bearer TOKEN")

  /// Whether a request has the token in its header.
  static func isValid(_ request: HTTPRequest, _ token: String) -> Bool {
    guard let header = request.header("authorization"), header.count > 7,
      header.prefix(7).lowercased() == "bearer "
    else { return false }
    return isEqual(header.dropFirst(7).trimmed, token)
  }

  /// Compares two secrets in a time that does not tell where they differ.
  static func isEqual(_ given: String, _ token: String) -> Bool {
    let (one, other) = (Array(given.utf8), Array(token.utf8))
    guard one.count == other.count else { return false }
    return zip(one, other).reduce(UInt8(0)) { $0 | $1.0 ^ $1.1 } == 0
  }
}
