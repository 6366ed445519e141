/// Where a program wants to read what went wrong; it may be nowhere.
struct ErrorBuffer {
  let text: UnsafeMutablePointer<CChar>?
  let size: Int

  init(_ text: UnsafeMutablePointer<CChar>?, _ size: Int) {
    self.text = text
    self.size = size
  }

  /// Writes as much of a message as there is room for.
  func write(_ message: String) {
    guard let text, size > 0 else { return }
    let bytes = message.utf8.prefix(size - 1)
    for (index, byte) in bytes.enumerated() { text[index] = CChar(bitPattern: byte) }
    text[bytes.count] = 0
  }
}
