/// A manifest on a web server as a host.
struct ManifestHost: OfferingHost {
  let address: WebAddress
  let token: (@Sendable () throws -> String)?

  var description: String { address.description }

  var credentials: WebClient.Credentials? { .init(bearerToken: token, for: address) }

  func all(from desk: HostContext) throws(StoreError) -> Manifest? {
    let kept = desk.documents.document(of: address)
    if let manifest = try fetched(desk, unless: kept?.validator) { return manifest }
    if let kept, let manifest = try? Manifest(parsing: kept.bytes, base: .web(address)) {
      return manifest
    }
    // The cached manifest is damaged: an unconditional request is made.
    if kept != nil, let manifest = try fetched(desk, unless: nil) { return manifest }
    throw StoreError(
      .serverFailed,
      "\(address): the server says that the file is unchanged, but there is no local copy")
  }

  /// Fetches the manifest; returns `nil` if it is unchanged.
  private func fetched(
    _ desk: HostContext, unless validator: String?
  ) throws(StoreError) -> Manifest? {
    let answer = try desk.client.document(at: address, unless: validator, limit: Manifest.longest)
    guard case .new(let bytes, let newValidator) = answer else { return nil }
    // Parsed first, because an invalid manifest must not be cached.
    let manifest = try Manifest(parsing: bytes, base: .web(address))
    desk.documents.keep(bytes, validator: newValidator, of: address)
    return manifest
  }
}

/// A single file on a web server, pinned by its digest, as a host.
struct FileHost: OfferingHost {
  private let address: WebAddress
  private let entry: Manifest.Entry
  private let token: (@Sendable () throws -> String)?

  init(
    address: WebAddress, name: ModelName, sha256: String, token: (@Sendable () throws -> String)?
  ) throws(StoreError) {
    let digest = sha256.lowercased()
    guard VersionKey.isDigest(digest) else {
      throw StoreError(.malformed, "a SHA-256 digest has 64 hexadecimal digits, not '\(sha256)'")
    }
    self.address = address
    self.token = token
    let file = OfferedFile(place: .web(address), sha256: digest, byteCount: nil)
    entry = .init(
      name: name, versions: [OfferedVersion(version: String(digest.prefix(12)), model: file)])
  }

  var description: String { address.description }

  var credentials: WebClient.Credentials? { .init(bearerToken: token, for: address) }

  func all(from desk: HostContext) throws(StoreError) -> Manifest? { Manifest([entry]) }
}
