import CPNG

extension guarded_png_messages {
  /// libpng's error message.
  var errorText: String { Self.text(error) }

  /// libpng's warning about recoverable damage; `nil` for none.
  var warningText: String? {
    let text = Self.text(warning)
    return text.isEmpty ? nil : text
  }

  private static func text<Characters>(_ characters: Characters) -> String {
    withUnsafeBytes(of: characters) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
  }
}
