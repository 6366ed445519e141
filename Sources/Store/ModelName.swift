import OcellusPlatform

/// The name of a model or a version, which is shown to users and used for file names.
///
/// Names come from manifests, which are not trusted. A name with characters that could affect a
/// terminal is rejected, and no file name leads out of its folder.
struct ModelName: Hashable, Sendable, CustomStringConvertible {
  /// Each byte may become three characters of a file name, which has at most 255 bytes.
  private static let longest = 80

  let text: String

  /// Validates a name.
  init(_ text: String, of subject: String = "model") throws(StoreError) {
    guard !text.isEmpty else { throw StoreError(.malformed, "the name of a \(subject) is empty") }
    guard text.utf8.count <= Self.longest else {
      throw StoreError(
        .malformed,
        "the name of a \(subject) has more than \(Self.longest) bytes: '\(text.prefix(40))…'")
    }
    guard text.unicodeScalars.allSatisfy(Self.isShown) else {
      throw StoreError(.malformed, "the name of a \(subject) has invisible characters: '\(text)'")
    }
    self.text = text
  }

  /// Whether a character is visible and does not affect others, unlike control characters and
  /// characters that change the direction of text.
  private static func isShown(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate: false
    default: true
    }
  }

  /// The name as a file name without an ending; unique even on case-insensitive file systems.
  var fileName: String { text.escaped(keeping: "abcdefghijklmnopqrstuvwxyz0123456789-_") }

  var description: String { text }
}

extension String {
  /// The file name, percent-encoded as one component of a URL path.
  var asURLPathComponent: String {
    escaped(keeping: "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.~")
  }

  /// Percent-encodes every byte that is not in `kept`.
  fileprivate func escaped(keeping kept: StaticString) -> String {
    let digits = Array("0123456789ABCDEF".utf8)
    var bytes: [UInt8] = []
    kept.withUTF8Buffer { kept in
      for byte in fileNameBytes {
        if kept.contains(byte) {
          bytes.append(byte)
        } else {
          bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
        }
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The percent-decoded text; `nil` if a percent sign is not followed by two digits.
  var unescaped: String? {
    var bytes: [UInt8] = []
    var rest = Array(utf8)[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      let digits = rest.prefix(2)
      guard digits.count == 2, digits.allSatisfy({ Unicode.Scalar($0).properties.isASCIIHexDigit }),
        let value = UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
      else { return nil }
      bytes.append(value)
      rest = rest.dropFirst(2)
    }
    return String(fileNameBytes: bytes)
  }
}
