import OcellusJSON
import OcellusPlatform

/// A project of Firebase ML, or of another server with the same protocol.
public struct FirebaseProject: Sendable {
  /// The address of the server.
  public var baseURL = "https://firebaseml.googleapis.com"
  /// The identifier of the project.
  public var identifier: String
  /// The API key of the project.
  public var apiKey: String
  /// The identifier of the app, for API keys that are restricted to certain apps.
  public var bundleIdentifier = ""
  /// Returns the installation token, if the server requires one.
  public var installationToken: (@Sendable () throws -> String)?

  /// Creates a project on Google's server.
  public init(identifier: String, apiKey: String) {
    self.identifier = identifier
    self.apiKey = apiKey
  }
}

/// Requests models with the protocol of FirebaseMLModelDownloader.
///
/// The answer to a request by name has the address of the file, its length and a validator (ETag),
/// but no digest.
struct FirebaseHost: OfferingHost {
  private static let longestAnswer = 1 << 20

  private let project: FirebaseProject
  private let base: WebAddress

  init(_ project: FirebaseProject) throws(StoreError) {
    self.project = project
    base = try WebAddress(project.baseURL)
    guard !project.identifier.isEmpty, !project.apiKey.isEmpty else {
      throw StoreError(.malformed, "a project of Firebase needs its identifier and its key")
    }
  }

  var description: String { "\(base.origin), project \(project.identifier)" }

  /// The address in an answer expires after about an hour.
  var addressesExpire: Bool { true }

  var credentials: WebClient.Credentials? {
    let project = project
    return WebClient.Credentials(origin: base.origin) { () throws(StoreError) in
      var fields = [("x-ios-bundle-identifier", project.bundleIdentifier)]
      do {
        if let token = try project.installationToken?() {
          fields.append(("x-goog-firebase-installations-auth", token))
        }
      } catch {
        throw StoreError(.refused, "there is no token of the installation: \(error)")
      }
      return fields.map { (name: $0.0, value: $0.1) }
    }
  }

  func all(from desk: HostContext) throws(StoreError) -> Manifest? { nil }

  func versions(
    of name: ModelName, after record: ModelRecord, from desk: HostContext
  ) throws(StoreError) -> [OfferedVersion]? {
    let address = try address(of: name)
    let known = record.current?.validator
    let answer = try desk.client.document(
      at: address, unless: known, limit: Self.longestAnswer, explaining: Self.explain)
    switch answer {
    case .unchanged:
      guard known != nil else {
        throw StoreError(
          .serverFailed,
          "\(address): the server says that the file is unchanged, but there is no local copy")
      }
      return nil
    case .new(let bytes, let validator):
      guard let validator else {
        throw StoreError(
          .serverFailed, "\(address): the answer has no ETag, or none that can be sent back")
      }
      return [try Self.version(in: bytes, validator: validator, from: address)]
    }
  }

  private func address(of name: ModelName) throws(StoreError) -> WebAddress {
    let identifier = project.identifier.asURLPathComponent
    let key = project.apiKey.asURLPathComponent
    return try base.resolving(
      "/v1beta2/projects/\(identifier)/models/\(name.text.asURLPathComponent):download?key=\(key)")
  }

  /// Adds the error message in the server's answer, if there is one.
  private static func explain(_ error: StoreError, _ body: [UInt8]) -> StoreError {
    let document = try? JSONParser.parse(body)
    guard let message = document?.object?["error"]?.object?["message"]?.string else { return error }
    var explained = error
    explained.message = "\(error.message): \(message.shortened.printable)"
    return explained
  }

  /// Whether a text is an RFC 3339 time, such as `2021-01-20T04:20:10.220Z`.
  private static func isTime(_ text: String) -> Bool {
    var scanner = ByteScanner(text)
    let parts: [(digits: Int, end: StaticString)] = [
      (4, "-"), (2, "-"), (2, "T"), (2, ":"), (2, ":"), (2, ""),
    ]
    for part in parts {
      guard scanner.digits(part.digits...part.digits) != nil, scanner.take(part.end) else {
        return false
      }
    }
    if scanner.take("."), scanner.digits(1...9) == nil { return false }
    if scanner.take("Z") { return scanner.isAtEnd }
    guard scanner.take("+") || scanner.take("-") else { return false }
    return scanner.digits(2...2) != nil && scanner.take(":") && scanner.digits(2...2) != nil
      && scanner.isAtEnd
  }

  /// Parses the version in an answer; it is named after its validator, because it has no other
  /// name.
  private static func version(
    in bytes: [UInt8], validator: String, from address: WebAddress
  ) throws(StoreError) -> OfferedVersion {
    let document = try? JSONParser.parse(bytes)
    guard let object = document?.object, let download = object["downloadUri"]?.string,
      let sizeText = object["sizeBytes"]?.string, let expiry = object["expireTime"]?.string
    else {
      throw StoreError(
        .serverFailed,
        "\(address): the answer lacks \"downloadUri\", \"expireTime\" or \"sizeBytes\"")
    }
    guard let byteCount = Int(sizeText), byteCount > 0 else {
      throw StoreError(.serverFailed, "\(address): \"sizeBytes\" is no size: '\(sizeText)'")
    }
    // The time is not compared with the clock, which may be wrong; the server rejects expired
    // addresses.
    guard isTime(expiry) else {
      throw StoreError(.serverFailed, "\(address): \"expireTime\" is no time: '\(expiry)'")
    }
    let digest = SHA256.hash(Array(validator.utf8)).hexadecimal
    var version = OfferedVersion(
      version: String(digest.prefix(12)),
      model: OfferedFile(
        place: .web(try address.resolving(download)), sha256: nil, byteCount: byteCount))
    version.validator = validator
    return version
  }
}
