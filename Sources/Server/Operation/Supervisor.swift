import CMicrohttpd
import OcellusPlatform

/// The service manager that has started the program, such as systemd (sd_notify(3)).
enum Supervisor {
  /// Tells the service manager about the state of this program, if there is one.
  static func tell(_ state: String) {
    guard let path = ProcessEnvironment.value(of: "NOTIFY_SOCKET"), let first = path.utf8.first
    else { return }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    var bytes = Array(path.utf8)
    // An @ stands for a name that is in no folder, which begins with a zero.
    if first == UInt8(ascii: "@") { bytes[0] = 0 }
    guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else { return }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
    #if canImport(Glibc)
      let kind = Int32(SOCK_DGRAM.rawValue)
    #else
      let kind = SOCK_DGRAM
    #endif
    let descriptor = socket(AF_UNIX, kind, 0)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    let length =
      MemoryLayout<sockaddr_un>.size - MemoryLayout.size(ofValue: address.sun_path) + bytes.count
    var text = state
    if state == "RELOADING=1" {
      text += "\nMONOTONIC_USEC=\(MonotonicTime.now.nanoseconds / 1000)"
    }
    text.withUTF8 { text in
      withUnsafeBytes(of: address) { address in
        _ = sendto(
          descriptor, text.baseAddress, text.count, Int32(MSG_NOSIGNAL),
          address.baseAddress?.assumingMemoryBound(to: sockaddr.self), socklen_t(length))
      }
    }
  }
}
