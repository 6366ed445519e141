/// A request with its whole body.
package struct HTTPRequest: Sendable {
  package var method: String
  /// The path, decoded.
  package var path: String
  /// The items of the query, decoded, in their order.
  package var query: [(name: String, value: String)]
  /// The headers, with names in lower case.
  package var headers: [(name: String, value: String)]
  package var body: [UInt8]

  package init(
    _ method: String, _ path: String, query: [(name: String, value: String)] = [],
    headers: [(name: String, value: String)] = [], body: [UInt8] = []
  ) {
    self.method = method
    self.path = path
    self.query = query
    self.headers = headers
    self.body = body
  }

  /// Returns the value of the first header with a name in lower case.
  package func header(_ name: String) -> String? { headers.first { $0.name == name }?.value }

  /// Returns the value of the last query item with a name.
  package func item(_ name: String) -> String? { query.last { $0.name == name }?.value }

  /// The segments of the path between slashes.
  package var segments: [String] { path.split(separator: "/").map(String.init) }

  /// The media type of the body, in lower case and without parameters; empty if none is given.
  package var mediaType: String {
    let type = header("content-type")?.prefix { $0 != ";" } ?? ""
    return type.trimmed.lowercased()
  }

  /// Whether the client wants a media type more than JSON.
  ///
  /// The order of the header counts, not its weights: no client that asks for a picture lists JSON
  /// before it.
  package func prefers(_ type: String) -> Bool {
    for part in (header("accept") ?? "").split(separator: ",") {
      let name = part.prefix { $0 != ";" }.trimmed.lowercased()
      if name == type { return true }
      if name == "application/json" || name == "*/*" { return false }
    }
    return false
  }
}

extension StringProtocol {
  /// The text without spaces and tabs at its ends.
  var trimmed: String {
    var text = self[...]
    while let first = text.first, first == " " || first == "\t" { text.removeFirst() }
    while let last = text.last, last == " " || last == "\t" { text.removeLast() }
    return String(text)
  }
}
