/// A request for a file or a range of it.
public struct WebRequest: Sendable {
  /// The address of the file.
  public let address: WebAddress
  /// The header fields: names and values.
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

  /// Whether a text is a valid value of a header field.
  static func isValue(_ text: String) -> Bool {
    text.utf8.allSatisfy { (0x20...0x7E).contains($0) }
  }
}

/// The header of a response.
public struct WebResponse: Sendable {
  /// The HTTP status, such as 200 or 404.
  public let status: Int
  private let fields: [String: String]

  /// Creates a response; the names of fields are case-insensitive.
  public init(status: Int, fields: some Sequence<(name: String, value: String)>) {
    self.status = status
    self.fields = Dictionary(fields.map { ($0.name.lowercased(), $0.value) }) { _, last in last }
  }

  /// The value of a header field, by its name in lowercase.
  public subscript(name: String) -> String? { fields[name] }

  /// The server's validator of the file, if it can be sent back.
  var validator: String? { self["etag"].flatMap { Validator.isOne($0) ? $0 : nil } }

  /// The length that the server announces; `nil` if it is missing or not a number.
  var byteCount: Int? { self["content-length"].flatMap { Int($0) } }
}

/// A validator (ETag): a server's identifier for a version of a file.
enum Validator {
  /// The largest size of a validator, in bytes.
  static let longest = 1024

  /// Whether a text can be sent back to the server in a header field.
  ///
  /// Faulty servers and damaged files may provide other texts, with which requests would be
  /// invalid.
  static func isOne(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.count <= longest && WebRequest.isValue(text)
  }
}

/// A transport for HTTP requests.
///
/// A transport trusts the system's certificate authorities and uses the proxies of the environment.
/// It must not follow redirections, retry or cache anything, because the store does so.
public protocol ModelTransport: Sendable {
  /// Sends a request, and passes on the response once, then its bytes as they arrive.
  ///
  /// The call returns at the end of the transfer. It must call `watch.check(_:)` at least once per
  /// `TransferWatch.interval`, and close the connection if that or a callback throws.
  func fetch(
    _ request: WebRequest, watch: TransferWatch,
    response: (WebResponse) throws(StoreError) -> Void,
    bytes: (UnsafeRawBufferPointer) throws(StoreError) -> Void
  ) throws(StoreError)
}
