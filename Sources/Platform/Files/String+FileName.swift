/// Conversions between file names, which are bytes and usually UTF-8, and Unicode text.
///
/// A byte of a name that is not UTF-8 becomes a scalar of its own, U+10FF00 plus the byte, at the
/// very end of a private use area; it becomes the byte again on the way out. If a name contains
/// such scalars itself, their bytes are replaced too, so that no two names become the same text.
extension String {
  /// The first UTF-8 byte of every stand-in scalar, which hardly any other scalar has.
  private static let standInLead: UInt8 = 0xF4

  /// Makes the text for the bytes of a file name.
  package init(fileNameBytes bytes: some Collection<UInt8>) {
    let bytes = Array(bytes)
    self = String(validating: bytes, as: UTF8.self) ?? ""
    if utf8.count == bytes.count, !bytes.contains(Self.standInLead) { return }
    self = Self.text(ofAnyBytes: bytes)
  }

  /// Makes the text for a file name of the system's, which ends with a zero byte.
  package init(fileName: UnsafePointer<CChar>) {
    let bytes = UnsafeRawBufferPointer(start: fileName, count: strlen(fileName))
    self.init(fileNameBytes: bytes)
  }

  private static func text(ofAnyBytes bytes: [UInt8]) -> String {
    var scalars = UnicodeScalarView()
    var parser = Unicode.UTF8.ForwardParser()
    var rest = bytes.makeIterator()
    var position = 0
    while true {
      let count: Int
      switch parser.parseScalar(from: &rest) {
      case .valid(let encoded):
        count = encoded.count
        let scalar = Unicode.UTF8.decode(encoded)
        if scalar.byteOfFileName == nil {
          scalars.append(scalar)
        } else {
          scalars.append(standingFor: bytes[position..<position + count])
        }
      case .error(let length):
        count = length
        scalars.append(standingFor: bytes[position..<position + count])
      case .emptyInput: return String(scalars)
      }
      position += count
    }
  }

  /// The bytes that the text stands for: its UTF-8, except for stand-in scalars.
  package var fileNameBytes: [UInt8] {
    guard utf8.contains(Self.standInLead) else { return Array(utf8) }
    return unicodeScalars.flatMap { scalar in
      scalar.byteOfFileName.map { [$0] } ?? Array(String(scalar).utf8)
    }
  }

  /// Calls `body` with the bytes of the name as a C string.
  package func withFileName<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result {
    (fileNameBytes.map { CChar(bitPattern: $0) } + [0]).withUnsafeBufferPointer { bytes in
      // Not empty: the zero byte is at the end.
      bytes.baseAddress.map(body) ?? withCString(body)
    }
  }
}

extension Unicode.Scalar {
  /// The byte of a file name that this scalar stands in for, if any.
  package var byteOfFileName: UInt8? {
    value >= 0x10FF80 ? UInt8(truncatingIfNeeded: value) : nil
  }

  /// Makes the stand-in for a byte of a file name that is not UTF-8.
  package init?(byteOfFileName byte: UInt8) {
    guard byte >= 0x80 else { return nil }
    self.init(0x10FF00 + UInt32(byte))
  }
}

extension String.UnicodeScalarView {
  fileprivate mutating func append(standingFor bytes: ArraySlice<UInt8>) {
    append(eachOf: bytes.lazy.compactMap(Unicode.Scalar.init(byteOfFileName:)))
  }
}
