import OcellusPlatform

/// A buffered text stream that writes in large blocks to save system calls.
///
/// File names in the text are written as their original bytes.
final class FileOutput: TextOutput {
  private static let blockSize = 1 << 16
  private let file: OpenFile
  private var pending: [UInt8] = []

  init(_ file: OpenFile) {
    self.file = file
  }

  func write(_ text: String) throws(FileError) {
    try write(text.fileNameBytes)
  }

  func write(_ bytes: [UInt8]) throws(FileError) {
    pending += bytes
    if pending.count >= Self.blockSize { try flush() }
  }

  func flush() throws(FileError) {
    // Text that could not be written is not tried again.
    defer { pending.removeAll(keepingCapacity: true) }
    try file.write(pending)
  }

  func close() throws(FileError) {
    try flush()
    try file.close()
  }
}
