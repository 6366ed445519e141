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
    var bytes = message.utf8.prefix(size - 1)
    // A character that does not fit is left out whole.
    while bytes.endIndex < message.utf8.endIndex, message.utf8[bytes.endIndex] & 0xC0 == 0x80 {
      bytes.removeLast()
    }
    for (index, byte) in bytes.enumerated() { text[index] = CChar(bitPattern: byte) }
    text[bytes.count] = 0
  }
}
