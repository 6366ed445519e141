import OcellusStore
import OcellusStoreNetwork
import OcellusTestSupport

/// Transports that trust the authority of the tests, where they can be told whom to trust.
enum TestTransport {
  static func transport(_ kind: Transport) -> any ModelTransport {
    switch kind {
    case .curl: CurlTransport(authorities: WebServer.shared?.authorities)
    case .urlSession: URLSessionTransport()
    }
  }
}
