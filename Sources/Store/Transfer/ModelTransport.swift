/// A request for a file, or a part of one.
public struct WebRequest: Sendable {
  /// What is asked for.
  public let address: WebAddress
  /// What is said with it: names and values.
  public let fields: [(name: String, value: String)]

  init(_ address: WebAddress, fields: [(name: String, value: String)]) throws(StoreError) {
    for field in fields {
      guard Self.isName(field.name), Self.isValue(field.value) else {
        throw StoreError(
          .malformed,
          "\(address): the field '\(field.name)' of the request has characters that no field may have"
        )
      }
    }
    self.address = address
    self.fields = fields
  }

  private static func isName(_ name: String) -> Bool {
    !name.isEmpty
      && name.utf8.allSatisfy { $0.isLetter || $0.isDigit || $0 == UInt8(ascii: "-") }
  }

  /// Whether a text can be the value of a field.
  static func isValue(_ text: String) -> Bool {
    text.utf8.allSatisfy { (0x20...0x7E).contains($0) }
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

  /// What the server calls this version of a file, if that can be said to it again.
  var validator: String? { self["etag"].flatMap { Validator.isOne($0) ? $0 : nil } }

  /// How many bytes the server announces; `nil` where it says none or no number.
  var byteCount: Int? { self["content-length"].flatMap { Int($0) } }
}

/// What a server calls a version of a file.
enum Validator {
  /// The most bytes that one may have.
  static let longest = 1024

  /// Whether a text can be sent back to the server: others come from strange servers and damaged files, and
  /// would make each further request a wrong one.
  static func isOne(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.count <= longest && WebRequest.isValue(text)
  }
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
