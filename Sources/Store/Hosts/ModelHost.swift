/// Where models come from.
///
/// All of them offer versions of models by name; none is believed further than its digests go.
public struct ModelHost: Sendable, CustomStringConvertible {
  let host: any OfferingHost

  /// A manifest on a web server, and the files that it names, there or elsewhere.
  ///
  /// What `token` makes is the bearer token for requests to the manifest's server; others never see it.
  public static func manifest(
    _ url: String, token: (@Sendable () throws -> String)? = nil
  ) throws(StoreError) -> ModelHost {
    ModelHost(host: ManifestHost(address: try WebAddress(url), token: token))
  }

  /// One model file on a web server, pinned by its SHA-256 digest.
  public static func file(
    _ url: String, name: String, sha256: String, token: (@Sendable () throws -> String)? = nil
  ) throws(StoreError) -> ModelHost {
    ModelHost(
      host: try FileHost(
        address: try WebAddress(url), name: try ModelName(name), sha256: sha256, token: token))
  }

  /// A folder on this machine: by its `manifest.json`, or without one all of its `.tflite` files.
  public static func folder(_ path: String) -> ModelHost {
    ModelHost(host: FolderHost(path: path))
  }

  /// The catalogue of public models that comes with this package, as a file.
  package static func catalog(_ catalog: ModelCatalog) -> ModelHost {
    ModelHost(host: CatalogHost(catalog: catalog))
  }

  /// A project of Firebase ML, or a server that speaks its protocol.
  public static func firebase(_ project: FirebaseProject) throws(StoreError) -> ModelHost {
    ModelHost(host: try FirebaseHost(project))
  }

  /// Nobody: a store for what is on this machine already.
  public static let nothing = ModelHost(host: NoHost())

  /// The address or the path.
  public var description: String { host.description }
}

/// What every host does.
protocol OfferingHost: Sendable, CustomStringConvertible {
  /// What is said to its server, and to no other.
  var credentials: WebClient.Credentials? { get }

  /// Whether addresses that it offers are good for some time only, so that it has to be asked again.
  var addressesExpire: Bool { get }

  /// The versions of a model; `nil` if they are what the record says of the last time.
  func versions(
    of name: ModelName, after record: ModelRecord, from desk: HostDesk
  ) throws(StoreError) -> [OfferedVersion]?

  /// All that it offers; `nil` for a host that answers to names only.
  func all(from desk: HostDesk) throws(StoreError) -> Manifest?
}

/// Nobody.
private struct NoHost: OfferingHost {
  var description: String { "nobody" }

  func all(from desk: HostDesk) throws(StoreError) -> Manifest? { Manifest([]) }
}

/// What a host is asked with.
struct HostDesk {
  let client: WebClient
  /// What manifests said the last time.
  let documents: KeptDocuments
}

extension OfferingHost {
  var credentials: WebClient.Credentials? { nil }
  var addressesExpire: Bool { false }

  func versions(
    of name: ModelName, after record: ModelRecord, from desk: HostDesk
  ) throws(StoreError) -> [OfferedVersion]? {
    guard let versions = try all(from: desk)?.versions(of: name) else {
      throw StoreError(.notFound, "\(self) offers no model '\(name)'")
    }
    return versions
  }
}

extension WebClient.Credentials {
  /// A token for the server of an address.
  init?(bearerToken token: (@Sendable () throws -> String)?, for address: WebAddress) {
    guard let token else { return nil }
    self.init(origin: address.origin) { () throws(StoreError) in
      do { return [("Authorization", "Bearer \(try token())")] } catch {
        throw StoreError(.refused, "there is no token for \(address.origin): \(error)")
      }
    }
  }
}
