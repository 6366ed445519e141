/// An address on the web that may be asked for a file: `https`, or `http` on this machine alone.
///
/// Addresses come from manifests and redirections, so nothing is taken on trust: what is no plain
/// address of a host, or has characters that a program could misunderstand, is refused.
public struct WebAddress: Hashable, Sendable {
  /// How the server is spoken to.
  enum Scheme: String, Sendable {
    case https, http
  }

  private static let longest = 4096

  let scheme: Scheme
  /// The name or number of the host, in small letters.
  let host: String
  let port: Int?
  /// The path and the query; begins with a slash.
  let target: String

  /// The address that a text says.
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
    let isNumber = host.wholeMatch(of: /\[[0-9a-f:.]+\]/) != nil
    guard isNumber || host.wholeMatch(of: /[a-z0-9_]([a-z0-9._-]*[a-z0-9_.])?/) != nil else {
      throw error(text, "there is no host in it")
    }
    let rest = authority[hostEnd...]
    if rest.isEmpty || rest == ":" { return (host, nil) }
    guard rest.hasPrefix(":"), let port = Int(rest.dropFirst()), (1...65535).contains(port),
      rest.dropFirst().allSatisfy(\.isNumber)
    else { throw error(text, "its port is none") }
    return (host, port)
  }

  /// Letters, digits and signs of ASCII without those that are never part of an address.
  private static func isPlain(_ byte: UInt8) -> Bool {
    (0x21...0x7E).contains(byte) && !Array("\"<>\\^`{|}".utf8).contains(byte)
  }

  private static func error(_ text: String, _ problem: String) -> StoreError {
    StoreError(.malformed, "'\(text.prefix(200))' cannot be fetched: \(problem)")
  }

  /// Whether the host is this machine, by its number or the name that always means it.
  var isOnThisMachine: Bool {
    host == "localhost" || host == "[::1]" || host.wholeMatch(of: /127(\.[0-9]{1,3}){3}/) != nil
  }

  /// Scheme, host and port: who gets what is only for this server.
  var origin: String {
    let port = port ?? (scheme == .https ? 443 : 80)
    return "\(scheme.rawValue)://\(host):\(port)"
  }

  /// The address as it is asked for.
  public var text: String {
    "\(scheme.rawValue)://\(host)\(port.map { ":\($0)" } ?? "")\(target)"
  }

  /// The address that a reference in a document of this address means, also in a redirection.
  ///
  /// From https the way never leads to http.
  func resolving(_ reference: String) throws(StoreError) -> WebAddress {
    let resolved = try WebAddress(absoluteText(of: reference))
    guard scheme == .http || resolved.scheme == .https else {
      throw Self.error(reference, "it leads from https to http")
    }
    return resolved
  }

  private func absoluteText(of reference: String) -> String {
    if reference.wholeMatch(of: /[A-Za-z][A-Za-z0-9+.-]*:.*/) != nil { return reference }
    if reference.hasPrefix("//") { return "\(scheme.rawValue):\(reference)" }
    let base = "\(scheme.rawValue)://\(host)\(port.map { ":\($0)" } ?? "")"
    let path = target.prefix { $0 != "?" }
    if reference.hasPrefix("?") { return base + path + reference }
    let folder =
      reference.hasPrefix("/") ? "" : path[...(path.lastIndex(of: "/") ?? path.startIndex)]
    let (file, query) = Self.split(reference)
    return base + Self.withoutDots(folder + file) + query
  }

  private static func split(_ reference: String) -> (path: String, query: String) {
    let path = reference.prefix { $0 != "?" && $0 != "#" }
    return (String(path), String(reference.dropFirst(path.count)))
  }

  /// A path without `.` and `..`, as RFC 3986 wants it.
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
  /// The address without its query, which may hold keys.
  public var description: String { String(text.prefix { $0 != "?" }) }
}
