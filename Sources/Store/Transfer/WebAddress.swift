/// A web address that models may be fetched from: `https`, or `http` on this machine only.
///
/// Addresses come from manifests and redirections, which are not trusted. An address with user
/// information, or with characters that a program could misinterpret, is rejected.
public struct WebAddress: Hashable, Sendable {
  /// The protocol.
  enum Scheme: String, Sendable {
    case https, http
  }

  private static let longest = 4096

  let scheme: Scheme
  /// The host name or IP address, in lowercase.
  let host: String
  let port: Int?
  /// The path and the query, beginning with a slash.
  let target: String

  /// Parses an address.
  public init(_ text: String) throws(StoreError) {
    guard text.utf8.count <= Self.longest, text.utf8.allSatisfy(Self.isPlain) else {
      throw Self.error(text, "it is too long or has characters that no address has")
    }
    guard let colon = text.firstRange(of: "://"),
      let scheme = Scheme(rawValue: text[..<colon.lowerBound].lowercased())
    else { throw Self.error(text, "it does not begin with https://") }
    let rest = text[colon.upperBound...].prefix { $0 != "#" }
    let authority = rest.prefix { $0 != "/" && $0 != "?" }
    let target = rest.dropFirst(authority.count)
    self.scheme = scheme
    (host, port) = try Self.parts(ofAuthority: authority, of: text)
    self.target = target.hasPrefix("/") ? String(target) : "/" + target
    guard scheme == .https || isOnThisMachine else {
      throw Self.error(text, "without https a model could come from anybody")
    }
  }

  private static func parts(
    ofAuthority authority: Substring, of text: String
  ) throws(StoreError) -> (host: String, port: Int?) {
    let hostEnd =
      authority.hasPrefix("[")
      ? authority.firstIndex(of: "]").map { authority.index(after: $0) } ?? authority.startIndex
      : authority.firstIndex(of: ":") ?? authority.endIndex
    let host = authority[..<hostEnd].lowercased()
    guard isNumber(host) || isName(host) else { throw error(text, "there is no host in it") }
    let rest = authority[hostEnd...]
    if rest.isEmpty || rest == ":" { return (host, nil) }
    guard rest.hasPrefix(":"), let port = Int(rest.dropFirst()), (1...65535).contains(port),
      rest.utf8.dropFirst().allSatisfy(\.isDigit)
    else { throw error(text, "its port is none") }
    return (host, port)
  }

  /// Whether a byte is a printable ASCII character that may occur in an address.
  private static func isPlain(_ byte: UInt8) -> Bool {
    switch Unicode.Scalar(byte) {
    case "\"", "<", ">", "\\", "^", "`", "{", "|", "}": false
    default: (0x21...0x7E).contains(byte)
    }
  }

  /// Whether a lowercase text is an IPv6 address in brackets.
  private static func isNumber(_ host: String) -> Bool {
    let inner = host.utf8.dropFirst().dropLast()
    return host.utf8.first == UInt8(ascii: "[") && host.utf8.last == UInt8(ascii: "]")
      && !inner.isEmpty
      && inner.allSatisfy { byte in
        switch Unicode.Scalar(byte) {
        case "0"..."9", "a"..."f", ":", ".": true
        default: false
        }
      }
  }

  /// Whether a lowercase text is a host name, which must not begin or end with a hyphen.
  private static func isName(_ host: String) -> Bool {
    guard let first = host.utf8.first, let last = host.utf8.last else { return false }
    guard first != UInt8(ascii: "-"), first != UInt8(ascii: "."), last != UInt8(ascii: "-") else {
      return false
    }
    return host.utf8.allSatisfy { byte in
      switch Unicode.Scalar(byte) {
      case "a"..."z", "0"..."9", "_", ".", "-": true
      default: false
      }
    }
  }

  private static func error(_ text: String, _ problem: String) -> StoreError {
    StoreError(.malformed, "'\(text.prefix(200))' cannot be fetched: \(problem)")
  }

  /// Whether the host is this machine, by a loopback address or the name `localhost`.
  var isOnThisMachine: Bool {
    host == "localhost" || host == "[::1]" || isLoopbackNumber
  }

  /// Whether the host is an IPv4 loopback address, `127.0.0.0` and up.
  private var isLoopbackNumber: Bool {
    let parts = host.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    return parts.count == 4 && parts[0].elementsEqual("127".utf8)
      && parts.dropFirst().allSatisfy { part in
        (1...3).contains(part.count) && part.allSatisfy(\.isDigit)
      }
  }

  /// The scheme, host and port, to which credentials are bound.
  var origin: String {
    let port = port ?? (scheme == .https ? 443 : 80)
    return "\(scheme.rawValue)://\(host):\(port)"
  }

  /// The whole address, with its query.
  public var text: String {
    "\(scheme.rawValue)://\(host)\(port.map { ":\($0)" } ?? "")\(target)"
  }

  /// Resolves a reference in a document of this address, or in a redirection.
  ///
  /// A reference from https to http is rejected.
  func resolving(_ reference: String) throws(StoreError) -> WebAddress {
    guard reference.utf8.count <= Self.longest else {
      throw Self.error(reference, "it is too long")
    }
    let resolved = try WebAddress(absoluteText(of: reference))
    guard scheme == .http || resolved.scheme == .https else {
      throw Self.error(reference, "it leads from https to http")
    }
    return resolved
  }

  private func absoluteText(of reference: String) -> String {
    if Self.hasScheme(reference) { return reference }
    if reference.hasPrefix("//") { return "\(scheme.rawValue):\(reference)" }
    let base = "\(scheme.rawValue)://\(host)\(port.map { ":\($0)" } ?? "")"
    let path = target.prefix { $0 != "?" }
    if reference.hasPrefix("?") { return base + path + reference }
    let folder =
      reference.hasPrefix("/") ? "" : path[...(path.lastIndex(of: "/") ?? path.startIndex)]
    let (file, query) = Self.split(reference)
    return base + Self.withoutDots(folder + file) + query
  }

  /// Whether a reference is absolute: it begins with a scheme and a colon.
  private static func hasScheme(_ reference: String) -> Bool {
    let name = reference.utf8.prefix { $0 != UInt8(ascii: ":") }
    guard name.endIndex < reference.utf8.endIndex, name.first?.isLetter == true else {
      return false
    }
    return name.allSatisfy { $0.isLetter || $0.isDigit || "+.-".utf8.contains($0) }
  }

  private static func split(_ reference: String) -> (path: String, query: String) {
    let path = reference.prefix { $0 != "?" && $0 != "#" }
    return (String(path), String(reference.dropFirst(path.count)))
  }

  /// Returns a path without `.` and `..` segments, according to RFC 3986.
  private static func withoutDots(_ path: String) -> String {
    var parts: [Substring] = []
    let names = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
    for (position, name) in names.enumerated() {
      switch name {
      case "..": _ = parts.popLast()
      case ".": break
      default:
        parts.append(name)
        continue
      }
      if position == names.count - 1 { parts.append("") }
    }
    return "/" + parts.joined(separator: "/")
  }
}

extension WebAddress: CustomStringConvertible {
  /// The address without its query, which may contain keys.
  public var description: String { String(text.prefix { $0 != "?" }) }
}
