import OcellusPlatform

/// Text into a file descriptor, in blocks: a table of thousands of lines is a few system calls.
final class FileOutput: TextOutput {
  private static let blockSize = 1 << 16
  private let descriptor: Int32
  private var pending: [UInt8] = []

  init(descriptor: Int32) {
    self.descriptor = descriptor
  }

  func write(_ text: String) {
    pending.append(contentsOf: text.utf8)
    if pending.count >= Self.blockSize { flush() }
  }

  func flush() {
    pending.withUnsafeBytes { bytes in
      var done = 0
      while done < bytes.count {
        let written = OcellusPlatform.write(
          descriptor, bytes.baseAddress.map { $0 + done }, bytes.count - done)
        if written < 0, errno == EINTR { continue }
        // A reader that went away or a full disk leaves nobody to tell.
        guard written > 0 else { break }
        done += written
      }
    }
    pending.removeAll(keepingCapacity: true)
  }
}
