/// The caller's buffer for an error message; it may be null.
struct ErrorBuffer {
  let text: UnsafeMutablePointer<CChar>?
  let size: Int

  init(_ text: UnsafeMutablePointer<CChar>?, _ size: Int) {
    self.text = text
    self.size = size
  }

  /// Writes a message, truncated to the size of the buffer.
  func write(_ message: String) {
    guard let text, size > 0 else { return }
    let bytes = message.utf8.prefix(size - 1)
    for (index, byte) in bytes.enumerated() { text[index] = CChar(bitPattern: byte) }
    text[bytes.count] = 0
  }
}
