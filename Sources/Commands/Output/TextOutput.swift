package import OcellusPlatform

/// Something that takes text: a file descriptor, or memory in tests.
package protocol TextOutput {
  /// Takes the text, perhaps keeping it until `flush`.
  func write(_ text: String) throws(FileError)
  /// Takes bytes, which need not be text.
  func write(_ bytes: [UInt8]) throws(FileError)
  /// Passes on everything that was kept.
  func flush() throws(FileError)
  /// Passes on the rest and ends: only now is it known whether all has arrived.
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
