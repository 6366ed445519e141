/// Text kept in memory, for tests.
final class TextBuffer: TextOutput {
  private(set) var text = ""

  func write(_ text: String) {
    self.text += text
  }

  func write(_ bytes: [UInt8]) {
    text += String(decoding: bytes, as: UTF8.self)
  }

  func flush() {}

  func close() {}
}
