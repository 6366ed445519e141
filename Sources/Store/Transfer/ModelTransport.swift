/// A request for a file, or a part of one.
public struct WebRequest: Sendable {
  /// What is asked for.
  public let address: WebAddress
  /// What is said with it: names and values.
  public let fields: [(name: String, value: String)]

  init(_ address: WebAddress, fields: [(name: String, value: String)]) throws(StoreError) {
    for field in fields {
      guard field.name.wholeMatch(of: /[A-Za-z0-9-]+/) != nil,
        field.value.utf8.allSatisfy({ (0x20...0x7E).contains($0) })
      else { throw StoreError(.malformed, "a field of a request has characters that none has") }
    }
    self.address = address
    self.fields = fields
  }
}

/// What a server says in front of the bytes that were asked for.
public struct WebResponse: Sendable {
  /// The number that says how it went, such as 200 or 404.
  public let status: Int
  private let fields: [String: String]

  /// A response with these fields, whose names may be in any case.
  public init(status: Int, fields: some Sequence<(name: String, value: String)>) {
    self.status = status
    self.fields = Dictionary(fields.map { ($0.name.lowercased(), $0.value) }) { _, last in last }
  }

  /// The value of a field, by its name in small letters.
  public subscript(name: String) -> String? { fields[name] }
}

/// A way to ask servers for files.
///
/// It trusts the authorities that the system trusts, goes through the proxies that the environment names,
/// and leaves everything else to the store: it follows no redirection, repeats nothing and keeps nothing.
public protocol ModelTransport: Sendable {
  /// Asks, and hands on what comes, in its order: the response once, then its bytes as they arrive.
  ///
  /// The call waits for the end. It asks the watch whether to go on, at least as often as that wants, and
  /// ends the connection when that or a receiver throws.
  func fetch(
    _ request: WebRequest, watch: TransferWatch,
    response: (WebResponse) throws(StoreError) -> Void,
    bytes: (UnsafeRawBufferPointer) throws(StoreError) -> Void
  ) throws(StoreError)
}
