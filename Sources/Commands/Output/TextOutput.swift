/// Something that takes text: a file descriptor, or memory in tests.
package protocol TextOutput {
  /// Takes the text, perhaps keeping it until `flush`.
  func write(_ text: String)
  /// Passes on everything that was kept.
  func flush()
}
