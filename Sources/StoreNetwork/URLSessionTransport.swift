import Foundation
public import OcellusStore

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A transport that uses Foundation's `URLSession` in this process.
///
/// Use it in programs that link Foundation anyway, or where there is no `curl`. Certificates are
/// checked against the system's authorities only, because Foundation cannot use others on Linux.
///
/// On Linux, `URLSession` buffers data in memory as fast as the server sends it, and a cancelled
/// request continues until the server pauses. It also withholds the body of a redirection, so that
/// such a fetch ends only after `FetchConditions.idleTimeout`, during which a fast server can fill
/// the memory. Where a connection ends before its answer begins, Foundation may even end the process
/// (swift-corelibs-foundation#5285). For untrusted servers use `CurlTransport`, which stops reading
/// at once.
public struct URLSessionTransport: ModelTransport {
  /// Creates a transport, which uses a new session for each request.
  public init() {}

  /// Sends the request, and passes on the response and its bytes.
  public func fetch(
    _ request: WebRequest, watch: TransferWatch,
    response: (WebResponse) throws(StoreError) -> Void,
    bytes: (UnsafeRawBufferPointer) throws(StoreError) -> Void
  ) throws(StoreError) {
    let inbox = SessionInbox()
    let session = URLSession(
      configuration: Self.configuration, delegate: inbox, delegateQueue: nil)
    let task = session.dataTask(with: try Self.urlRequest(request))
    defer {
      task.cancel()
      session.invalidateAndCancel()
    }
    task.resume()
    var watch = watch
    while true {
      try watch.check(request.address)
      guard let news = inbox.next(for: task) else { continue }
      watch.noteSignOfLife()
      switch news {
      case .response(let head): try response(try Self.webResponse(head, request.address))
      case .data(let data):
        let result = data.withUnsafeBytes { buffer in
          Result { () throws(StoreError) in try bytes(buffer) }
        }
        try result.get()
      case .end(nil): return
      case .end(let error?): throw Self.storeError(error, request.address)
      }
    }
  }

  /// The session caches nothing, and leaves timeouts to the store's watch.
  private static var configuration: URLSessionConfiguration {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.urlCache = nil
    configuration.httpCookieStorage = nil
    configuration.urlCredentialStorage = nil
    configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
    configuration.timeoutIntervalForRequest = 24 * 3600
    return configuration
  }

  private static func urlRequest(_ request: WebRequest) throws(StoreError) -> URLRequest {
    guard let url = URL(string: request.address.text) else {
      throw StoreError(.malformed, "'\(request.address)' is no address")
    }
    var urlRequest = URLRequest(url: url)
    for field in request.fields { urlRequest.setValue(field.value, forHTTPHeaderField: field.name) }
    return urlRequest
  }

  private static func webResponse(
    _ response: URLResponse, _ address: WebAddress
  ) throws(StoreError) -> WebResponse {
    guard let response = response as? HTTPURLResponse else {
      throw StoreError(.serverFailed, "\(address): the server's answer is not HTTP")
    }
    let fields = response.allHeaderFields.map { (name: "\($0.key)", value: "\($0.value)") }
    return WebResponse(status: response.statusCode, fields: fields)
  }

  private static func storeError(_ error: any Error, _ address: WebAddress) -> StoreError {
    let reason = "\(address): \(error.localizedDescription)"
    switch (error as? URLError)?.code {
    case .timedOut: return .temporary(.timedOut, reason)
    case .serverCertificateUntrusted, .serverCertificateHasBadDate, .serverCertificateNotYetValid,
      .serverCertificateHasUnknownRoot, .secureConnectionFailed, .clientCertificateRejected,
      .clientCertificateRequired:
      return StoreError(.unreachable, reason)
    default: return .temporary(.unreachable, reason)
    }
  }
}

/// A queue of events from a session to the thread that waits for them.
///
/// Unchecked `Sendable`, because all state is protected by the condition.
private final class SessionInbox: NSObject, URLSessionDataDelegate, @unchecked Sendable {
  enum News {
    case response(URLResponse)
    case data(Data)
    case end((any Error)?)
  }

  /// The number of buffered bytes at which the task is suspended until the consumer catches up.
  private static let maximumBytes = 8 << 20

  private let condition = NSCondition()
  private var news: [News] = []
  private var byteCount = 0
  private var isSuspended = false

  /// Waits a short time for the next event; `nil` if there is none.
  func next(for task: URLSessionTask) -> News? {
    condition.lock()
    defer { condition.unlock() }
    if news.isEmpty {
      _ = condition.wait(until: Date(timeIntervalSinceNow: TransferWatch.interval / .seconds(1)))
    }
    guard !news.isEmpty else { return nil }
    let first = news.removeFirst()
    if case .data(let data) = first { byteCount -= data.count }
    if isSuspended, byteCount < Self.maximumBytes / 2 {
      isSuspended = false
      task.resume()
    }
    return first
  }

  private func add(_ item: News, from task: URLSessionTask) {
    condition.lock()
    defer { condition.unlock() }
    news.append(item)
    if case .data(let data) = item { byteCount += data.count }
    if !isSuspended, byteCount > Self.maximumBytes {
      isSuspended = true
      task.suspend()
    }
    condition.signal()
  }

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
  ) {
    add(.response(response), from: dataTask)
    completionHandler(.allow)
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    add(.data(data), from: dataTask)
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
  ) {
    add(.end(error), from: task)
  }

  /// Redirections are not followed here, because the store decides about them.
  func urlSession(
    _ session: URLSession, task: URLSessionTask,
    willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
    completionHandler: @escaping (URLRequest?) -> Void
  ) {
    completionHandler(nil)
  }
}
