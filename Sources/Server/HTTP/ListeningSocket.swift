import CMicrohttpd
import OcellusPlatform

/// A socket that listens at an address.
package struct ListeningSocket: Sendable {
  package let descriptor: Int32
  /// The address as a client names it, with the port that the system chose.
  package let address: ListenAddress
  /// The path to remove at the end.
  let path: String?

  /// Listens at an address.
  ///
  /// - Throws: `ServerError` if the address is in use or not this machine's.
  package init(_ address: ListenAddress) throws(ServerError) {
    switch address {
    case .unix(let path):
      self = try Self.unix(path)
    case .network(let host, let port):
      self = try Self.network(host, port)
    }
    // Nobody else should inherit it, and the backlog is read until it is empty when draining.
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
  }

  private init(descriptor: Int32, address: ListenAddress, path: String? = nil) {
    self.descriptor = descriptor
    self.address = address
    self.path = path
  }

  private static func network(_ host: String, _ port: UInt16) throws(ServerError) -> ListeningSocket
  {
    var hints = addrinfo()
    hints.ai_family = AF_UNSPEC
    hints.ai_socktype = streamSocket
    hints.ai_flags = AI_PASSIVE
    var list: UnsafeMutablePointer<addrinfo>?
    let code = getaddrinfo(host.isEmpty ? nil : host, "\(port)", &hints, &list)
    guard code == 0, let found = list else {
      throw ServerError("--listen \(host): \(String(cString: gai_strerror(code)))")
    }
    defer { freeaddrinfo(list) }
    let descriptor = socket(found.pointee.ai_family, streamSocket, 0)
    var yes: Int32 = 1
    setsockopt(
      descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout.size(ofValue: yes)))
    guard descriptor >= 0, bind(descriptor, found.pointee.ai_addr, found.pointee.ai_addrlen) == 0,
      listen(descriptor, backlog) == 0
    else {
      let reason = String(cString: strerror(errno))
      if descriptor >= 0 { close(descriptor) }
      throw ServerError(
        "cannot listen at \(host):\(port): \(reason); --listen chooses another address")
    }
    return ListeningSocket(
      descriptor: descriptor, address: .network(host, try boundPort(descriptor)))
  }

  /// The most connections that wait to be accepted.
  private static let backlog: Int32 = 1024

  private static func boundPort(_ descriptor: Int32) throws(ServerError) -> UInt16 {
    var storage = sockaddr_storage()
    var length = socklen_t(MemoryLayout.size(ofValue: storage))
    let code = withUnsafeMutableBytes(of: &storage) {
      getsockname(
        descriptor, $0.baseAddress?.assumingMemoryBound(to: sockaddr.self), &length)
    }
    guard code == 0 else {
      throw ServerError("the port is unknown: \(String(cString: strerror(errno)))")
    }
    // The port is in the same place of an address of either family.
    return withUnsafeBytes(of: storage) {
      UInt16(bigEndian: $0.load(fromByteOffset: 2, as: UInt16.self))
    }
  }

  private static func unix(_ path: String) throws(ServerError) -> ListeningSocket {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let bytes = Array(path.utf8)
    guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else {
      throw ServerError("--listen unix:\(path): the path of a socket has at most 107 bytes")
    }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
    removeAbandoned(path, address)
    let descriptor = socket(AF_UNIX, streamSocket, 0)
    let length = socklen_t(MemoryLayout.size(ofValue: address))
    let code = withUnsafeBytes(of: address) {
      bind(descriptor, $0.baseAddress?.assumingMemoryBound(to: sockaddr.self), length)
    }
    guard descriptor >= 0, code == 0, listen(descriptor, backlog) == 0 else {
      let reason = String(cString: strerror(errno))
      if descriptor >= 0 { close(descriptor) }
      throw ServerError("cannot listen at unix:\(path): \(reason)")
    }
    return ListeningSocket(descriptor: descriptor, address: .unix(path), path: path)
  }

  /// Removes the socket of a server that has ended without removing it.
  private static func removeAbandoned(_ path: String, _ address: sockaddr_un) {
    var status = stat()
    guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK else { return }
    let probe = socket(AF_UNIX, streamSocket, 0)
    defer { close(probe) }
    let code = withUnsafeBytes(of: address) {
      connect(
        probe, $0.baseAddress?.assumingMemoryBound(to: sockaddr.self),
        socklen_t(MemoryLayout.size(ofValue: address)))
    }
    if code != 0, errno == ECONNREFUSED { unlink(path) }
  }
}

/// The kind of socket for connections; the C library's modules differ in its type.
private var streamSocket: Int32 {
  #if canImport(Glibc)
    Int32(SOCK_STREAM.rawValue)
  #else
    SOCK_STREAM
  #endif
}

/// An address to listen at.
package enum ListenAddress: Hashable, Sendable, CustomStringConvertible {
  case network(_ host: String, _ port: UInt16)
  case unix(_ path: String)

  /// Reads an address such as `127.0.0.1:5000`, `[::1]:5000` or `unix:/run/ocellus.sock`.
  package init?(_ text: String) {
    if text.hasPrefix("unix:") {
      let path = String(text.dropFirst(5))
      guard !path.isEmpty else { return nil }
      self = .unix(path)
      return
    }
    guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...])
    else { return nil }
    var host = text[..<colon]
    if host.hasPrefix("["), host.hasSuffix("]") {
      host = host.dropFirst().dropLast()
    } else if host.contains(":") {
      return nil
    }
    guard !host.isEmpty else { return nil }
    self = .network(String(host), port)
  }

  /// Whether only this machine can reach the address.
  package var isLocal: Bool {
    switch self {
    case .unix: true
    case .network(let host, _): host == "localhost" || host == "::1" || host.hasPrefix("127.")
    }
  }

  package var description: String {
    switch self {
    case .unix(let path): "unix:\(path)"
    case .network(let host, let port): host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
    }
  }

  /// The beginning of a `curl` command for the address, with the URL's beginning.
  package var curl: String {
    switch self {
    case .unix(let path): "--unix-socket \(path) http://localhost"
    case .network: "http://\(self)"
    }
  }
}

/// An error that keeps a server from starting.
package struct ServerError: Error, Sendable, CustomStringConvertible {
  package let description: String

  package init(_ message: String) { description = message }
}
