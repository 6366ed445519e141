/// Text kept in memory, for tests.
final class TextBuffer: TextOutput {
  private(set) var text = ""

  func write(_ text: String) {
    self.text += text
  }

  func flush() {}
}
