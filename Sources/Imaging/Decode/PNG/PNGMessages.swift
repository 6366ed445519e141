import CPNG

extension guarded_png_messages {
  /// What libpng said was wrong.
  var errorText: String { Self.text(error) }

  /// What libpng said about damage that it could read past; `nil`: nothing.
  var warningText: String? {
    let text = Self.text(warning)
    return text.isEmpty ? nil : text
  }

  private static func text<Characters>(_ characters: Characters) -> String {
    withUnsafeBytes(of: characters) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
  }
}
