package import OcellusPlatform

/// A destination of text: a file descriptor, or memory in tests.
package protocol TextOutput {
  /// Writes text, which may be buffered until `flush`.
  func write(_ text: String) throws(FileError)
  /// Writes bytes, which need not be text.
  func write(_ bytes: [UInt8]) throws(FileError)
  /// Writes everything that is buffered.
  func flush() throws(FileError)
  /// Writes the rest and closes the output; only then are all write errors known.
  func close() throws(FileError)
}

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
