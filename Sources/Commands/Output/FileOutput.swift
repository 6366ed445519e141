import OcellusPlatform

/// Text into a stream of the system, in blocks: a table of thousands of lines is a few system calls.
///
/// Names of files in the text leave as the bytes that they came as.
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
    // What could not be written once is not tried again.
    defer { pending.removeAll(keepingCapacity: true) }
    try file.write(pending)
  }

  func close() throws(FileError) {
    try flush()
    try file.close()
  }
}
