import OcellusPlatform

/// The name of a model or a version: what people read in tables, and what files in the store are called
/// after.
///
/// Names come from manifests, so they may be anything. One that would do something to a terminal is
/// refused, and none leads out of its folder.
struct ModelName: Hashable, Sendable, CustomStringConvertible {
  /// Every byte may become three letters in the name of a file, which has 255 at most.
  private static let longest = 80

  let text: String

  /// A name as it was given.
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

  /// Whether a character takes its place in a line and leaves the others theirs: controls do not, nor do
  /// those that turn the direction of writing around.
  private static func isShown(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate: false
    default: true
    }
  }

  /// The name of a file for it, without an ending: no two names have the same one, even where a file
  /// system takes capitals for small letters.
  var fileName: String { text.escaped(keeping: "abcdefghijklmnopqrstuvwxyz0123456789-_") }

  var description: String { text }
}

extension String {
  /// The name of a file as one part of the path of an address.
  var asAddressPart: String {
    escaped(keeping: "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.~")
  }

  /// The text with `%20` for every byte that is not kept.
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

  /// The text whose bytes were escaped to this one; `nil` where a percent sign has no digits behind it.
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
