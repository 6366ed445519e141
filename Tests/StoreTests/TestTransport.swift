import OcellusStore
import OcellusStoreNetwork
import OcellusTestSupport

/// Transports that trust the tests' certificate authority, where that can be configured.
enum TestTransport {
  static func transport(_ kind: Transport) -> any ModelTransport {
    switch kind {
    case .curl: CurlTransport(authorities: WebServer.shared?.authorities)
    case .urlSession: URLSessionTransport()
    }
  }
}
