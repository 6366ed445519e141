import OcellusPlatform

/// Text into a file descriptor, in blocks: a table of thousands of lines is a few system calls.
final class FileOutput: TextOutput {
  private static let blockSize = 1 << 16
  private let file: OpenFile
  private var pending: [UInt8] = []

  init(descriptor: Int32) {
    file = OpenFile(descriptor: descriptor)
  }

  func write(_ text: String) {
    pending.append(contentsOf: text.utf8)
    if pending.count >= Self.blockSize { flush() }
  }

  func flush() {
    // A reader that went away or a full disk leaves nobody to tell.
    try? file.write(pending)
    pending.removeAll(keepingCapacity: true)
  }
}
