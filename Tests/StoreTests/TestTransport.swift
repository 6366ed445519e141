import Foundation
import OcellusStore
import OcellusStoreNetwork
import OcellusTestSupport

/// Transports that trust the authority of the tests.
enum TestTransport {
  private static let authorities: String? = {
    guard let authorities = WebServer.shared?.authorities else { return nil }
    // Foundation's way to name other authorities than the system's.
    setenv("URLSessionCertificateAuthorityInfoFile", authorities, 1)
    return authorities
  }()

  static func transport(_ kind: Transport) -> any ModelTransport {
    let authorities = authorities
    return switch kind {
    case .curl: CurlTransport(authorities: authorities)
    case .urlSession: URLSessionTransport()
    }
  }
}
