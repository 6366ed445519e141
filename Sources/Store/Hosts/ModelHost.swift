/// A source of models.
///
/// Hosts offer versions of models by name. They are trusted only as far as digests can be verified.
public struct ModelHost: Sendable, CustomStringConvertible {
  let host: any OfferingHost

  /// A manifest on a web server, and the files that it refers to, there or elsewhere.
  ///
  /// `token` returns the bearer token for requests to the manifest's server; no other server
  /// receives it.
  public static func manifest(
    _ url: String, token: (@Sendable () throws -> String)? = nil
  ) throws(StoreError) -> ModelHost {
    ModelHost(host: ManifestHost(address: try WebAddress(url), token: token))
  }

  /// A single model file on a web server, pinned by its SHA-256 digest.
  public static func file(
    _ url: String, name: String, sha256: String, token: (@Sendable () throws -> String)? = nil
  ) throws(StoreError) -> ModelHost {
    ModelHost(
      host: try FileHost(
        address: try WebAddress(url), name: try ModelName(name), sha256: sha256, token: token))
  }

  /// A folder on this machine, with a `manifest.json`, or else with `.tflite` files to offer.
  public static func folder(_ path: String) -> ModelHost {
    ModelHost(host: FolderHost(path: path))
  }

  /// A catalogue of public models, such as the one that comes with this package.
  package static func catalog(_ catalog: ModelCatalog) -> ModelHost {
    ModelHost(host: CatalogHost(catalog: catalog))
  }

  /// A project of Firebase ML, or a server that speaks its protocol.
  public static func firebase(_ project: FirebaseProject) throws(StoreError) -> ModelHost {
    ModelHost(host: try FirebaseHost(project))
  }

  /// A host without models, for a store that only serves local models.
  public static let nothing = ModelHost(host: NoHost())

  /// The address or the path of the host.
  public var description: String { host.description }
}

/// The requirements of every host.
protocol OfferingHost: Sendable, CustomStringConvertible {
  /// The credentials for the host's own server.
  var credentials: WebClient.Credentials? { get }

  /// Whether offered addresses expire, so that the host may have to be asked again.
  var addressesExpire: Bool { get }

  /// Returns the versions of a model; `nil` if nothing has changed since `record`.
  func versions(
    of name: ModelName, after record: ModelRecord, from desk: HostContext
  ) throws(StoreError) -> [OfferedVersion]?

  /// Returns the whole offer; `nil` for a host that can only be asked by name.
  func all(from desk: HostContext) throws(StoreError) -> Manifest?
}

/// A host that offers nothing.
private struct NoHost: OfferingHost {
  var description: String { "nobody" }

  func all(from desk: HostContext) throws(StoreError) -> Manifest? { Manifest([]) }
}

/// The client and the document cache for requests to a host.
struct HostContext {
  let client: WebClient
  /// The cached manifests.
  let documents: DocumentCache
}

extension OfferingHost {
  var credentials: WebClient.Credentials? { nil }
  var addressesExpire: Bool { false }

  func versions(
    of name: ModelName, after record: ModelRecord, from desk: HostContext
  ) throws(StoreError) -> [OfferedVersion]? {
    let offer = try all(from: desk)
    guard let versions = offer?.versions(of: name) else {
      let names = offer?.names ?? []
      throw StoreError(.notFound, "\(self) offers no model '\(name)'\(Self.offered(names))")
    }
    return versions
  }

  /// Names what is offered instead; all of it, unless it is very much.
  private static func offered(_ names: [String]) -> String {
    guard !names.isEmpty else { return "" }
    let most = 20
    let others = names.count > most ? ", and \(names.count - most) others" : ""
    return "; it offers \(names.prefix(most).joined(separator: ", "))\(others)"
  }
}

extension WebClient.Credentials {
  /// Creates credentials with a bearer token for the server of an address.
  init?(bearerToken token: (@Sendable () throws -> String)?, for address: WebAddress) {
    guard let token else { return nil }
    self.init(origin: address.origin) { () throws(StoreError) in
      do { return [("Authorization", "Bearer \(try token())")] } catch {
        throw StoreError(.refused, "there is no token for \(address.origin): \(error)")
      }
    }
  }
}
