import CMicrohttpd
import OcellusPlatform
import Synchronization

// The functions that libmicrohttpd calls, on the threads that do its input and output.

/// Called when the headers of a request have arrived, for each part of its body, at its end, and when
/// a suspended connection goes on.
let answerCallback: MHD_AccessHandlerCallback = {
  context, connection, path, method, _, bytes, count, place in
  guard let context, let connection, let count, let place else { return callback_failed() }
  let server = Unmanaged<HTTPServer>.fromOpaque(context).takeUnretainedValue()
  guard let known = place.pointee else {
    let exchange = server.begin(connection, path, method)
    place.pointee = Unmanaged.passRetained(exchange).toOpaque()
    return exchange.isHopeless ? server.send(exchange, on: connection) : callback_succeeded()
  }
  let exchange = Unmanaged<Exchange>.fromOpaque(known).takeUnretainedValue()
  if count.pointee > 0 {
    let part = UnsafeRawBufferPointer(start: bytes, count: count.pointee)
    count.pointee = 0
    return exchange.receive(part) ? callback_succeeded() : callback_failed()
  }
  switch exchange.phase {
  case .receiving:
    server.work(on: exchange, of: connection)
    return callback_succeeded()
  case .refusing, .working: return server.send(exchange, on: connection)
  case .answering: return callback_failed()
  }
}

/// Called when an answer has been sent, or cannot be sent.
let completedCallback: MHD_RequestCompletedCallback = { context, connection, place, end in
  guard let context, let connection, let known = place?.pointee else { return }
  place?.pointee = nil
  let server = Unmanaged<HTTPServer>.fromOpaque(context).takeUnretainedValue()
  let exchange = Unmanaged<Exchange>.fromOpaque(known).takeRetainedValue()
  server.finish(exchange, on: connection, isComplete: is_completed(end) != 0)
}

/// Called when a connection is opened or closed.
let connectionCallback: MHD_NotifyConnectionCallback = { context, connection, _, change in
  guard let context, let connection else { return }
  let server = Unmanaged<HTTPServer>.fromOpaque(context).takeUnretainedValue()
  if is_opened(change) != 0 {
    server.watch.add(
      ConnectionHandle(connection), socket: connection_socket(connection),
      time: server.limits.headerTime)
  } else {
    server.watch.remove(ConnectionHandle(connection))
  }
}

/// Called when there is room for more of an answer of events.
private let readEvents: MHD_ContentReaderCallback = { queue, _, buffer, count in
  guard let queue, let buffer else { return content_end() }
  return Unmanaged<EventQueue>.fromOpaque(queue).takeUnretainedValue()
    .read(into: UnsafeMutableRawBufferPointer(start: buffer, count: count))
}

/// Called when an answer of events is not needed any more.
private let releaseEvents: MHD_ContentReaderFreeCallback = { queue in
  guard let queue else { return }
  Unmanaged<EventQueue>.fromOpaque(queue).takeRetainedValue().detach()
}

extension HTTPServer {
  /// Begins an exchange, when the headers of its request have arrived.
  func begin(
    _ connection: OpaquePointer, _ path: UnsafePointer<CChar>?, _ method: UnsafePointer<CChar>?
  ) -> Exchange {
    watch.limit(ConnectionHandle(connection), to: limits.bodyTime, isReceiving: true)
    let request = HTTPRequest(
      method.map { String(cString: $0) } ?? "", path.map { String(cString: $0) } ?? "",
      query: values(from: each_query_item, of: connection),
      headers: values(from: each_header, of: connection).map { ($0.name.lowercased(), $0.value) })
    let exchange = Exchange(
      request, from: clientAddress(of: connection), room: room, bodyLimit: limits.bodyBytes,
      errorAnswer: { [handler] in handler.answer(about: $0, to: $1) })
    exchanges.change { _ = $0.insert(ObjectIdentifier(exchange)) }
    if let announced = exchange.announcedBytes, announced > limits.bodyBytes {
      exchange.refuse(Exchange.tooLarge(limits.bodyBytes))
    } else if let error = handler.admit(request) {
      exchange.refuse(error)
    }
    return exchange
  }

  /// Begins the work on a request that has arrived.
  func work(on exchange: Exchange, of connection: OpaquePointer) {
    exchange.phase = .working
    watch.limit(ConnectionHandle(connection), to: nil)
    running.withLock { $0[ObjectIdentifier(exchange)] = exchange }
    // The connection stays until it is resumed, which the task alone does.
    let suspended = ConnectionHandle(connection)
    suspended.suspend()
    exchange.setTask(
      Task { [self] in
        exchange.setAnswer(await answer(to: exchange))
        running.withLock { _ = $0.removeValue(forKey: ObjectIdentifier(exchange)) }
        suspended.resume()
      })
  }

  private func answer(to exchange: Exchange) async -> HTTPResponse {
    let request: HTTPRequest
    do throws(HTTPError) { request = try exchange.takeRequest() } catch {
      return handler.answer(about: error, to: exchange.request)
    }
    return await handler.answer(to: request)
  }

  /// Sends the answer of an exchange.
  func send(_ exchange: Exchange, on connection: OpaquePointer) -> MHD_Result {
    guard let answer = exchange.takeAnswer() else { return callback_failed() }
    exchange.phase = .answering
    exchange.status = answer.status
    let response: OpaquePointer?
    switch answer.body {
    case .bytes(let bytes):
      exchange.answerBytes = bytes.count
      watch.limit(ConnectionHandle(connection), to: limits.answerTime)
      response = bytes.withUnsafeBytes { bytes in
        response_copying(bytes.count, bytes.baseAddress)
      }
    case .events(let queue):
      watch.limit(ConnectionHandle(connection), to: nil)
      queue.attach(to: ConnectionHandle(connection))
      streams.withLock { $0.append(queue) }
      response = MHD_create_response_from_callback(
        UInt64.max, 4096, readEvents, Unmanaged.passRetained(queue).toOpaque(), releaseEvents)
    }
    guard let response else { return callback_failed() }
    defer { MHD_destroy_response(response) }
    for header in answer.headers { MHD_add_response_header(response, header.name, header.value) }
    if draining { MHD_add_response_header(response, "Connection", "close") }
    return MHD_queue_response(connection, UInt32(answer.status), response)
  }

  /// Ends an exchange.
  func finish(_ exchange: Exchange, on connection: OpaquePointer, isComplete: Bool) {
    watch.limit(
      ConnectionHandle(connection), to: limits.idleTime + limits.headerTime, isReceiving: true)
    handler.note(
      HTTPRecord(
        client: exchange.client, method: exchange.request.method, path: exchange.request.path,
        status: isComplete ? exchange.status : 0, answerBytes: exchange.answerBytes,
        seconds: exchange.start.secondsToNow))
    exchanges.change { _ = $0.remove(ObjectIdentifier(exchange)) }
  }

  /// Returns the headers or the query items of a request.
  private func values(
    from each: (OpaquePointer?, MHD_KeyValueIterator?, UnsafeMutableRawPointer?) -> Void,
    of connection: OpaquePointer
  ) -> [(name: String, value: String)] {
    var values: [(name: String, value: String)] = []
    withUnsafeMutablePointer(to: &values) { values in
      each(
        connection,
        { list, _, name, value in
          guard let list, let name else { return callback_succeeded() }
          list.assumingMemoryBound(to: [(name: String, value: String)].self).pointee.append(
            (String(cString: name), value.map { String(cString: $0) } ?? ""))
          return callback_succeeded()
        }, values)
    }
    return values
  }

  /// Returns the address of a client, for the log.
  private func clientAddress(of connection: OpaquePointer) -> String {
    guard let address = connection_address(connection) else { return "-" }
    let family = Int32(address.pointee.sa_family)
    guard family == AF_INET || family == AF_INET6 else { return "unix" }
    var host = [CChar](repeating: 0, count: Int(NI_MAXHOST))
    let length =
      family == AF_INET ? MemoryLayout<sockaddr_in>.size : MemoryLayout<sockaddr_in6>.size
    guard
      getnameinfo(
        address, socklen_t(length), &host, socklen_t(host.count), nil, 0, NI_NUMERICHOST) == 0
    else { return "-" }
    return String(decoding: host.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
