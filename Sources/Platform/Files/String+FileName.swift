/// Names of files are bytes, mostly but not always UTF-8, and text here is Unicode.
///
/// A byte of a name that is no UTF-8 becomes a scalar of its own, U+10FF00 and the byte, at the very end
/// of the area for private use; and becomes the byte again on its way out. A name that has such scalars
/// itself has their bytes replaced, so that no two names become the same text.
extension String {
  /// The byte that the UTF-8 of every stand-in begins with, and that of hardly anything else.
  private static let standInLead: UInt8 = 0xF4

  /// The text for the bytes of a name.
  package init(fileNameBytes bytes: some Collection<UInt8>) {
    let bytes = Array(bytes)
    self = String(validating: bytes, as: UTF8.self) ?? ""
    if utf8.count == bytes.count, !bytes.contains(Self.standInLead) { return }
    self = Self.text(ofAnyBytes: bytes)
  }

  /// The text for a name of the system's, which ends with a zero.
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

  /// The bytes that the text stands for; those of its UTF-8, unless a name was not UTF-8.
  package var fileNameBytes: [UInt8] {
    guard utf8.contains(Self.standInLead) else { return Array(utf8) }
    return unicodeScalars.flatMap { scalar in
      scalar.byteOfFileName.map { [$0] } ?? Array(String(scalar).utf8)
    }
  }

  /// Hands the bytes of the name to a function of the system.
  package func withFileName<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result {
    (fileNameBytes.map { CChar(bitPattern: $0) } + [0]).withUnsafeBufferPointer { bytes in
      // Not empty: there is the zero at the end.
      bytes.baseAddress.map(body) ?? withCString(body)
    }
  }
}

extension Unicode.Scalar {
  /// The byte of a file's name that this scalar stands for, if it is one that is no text.
  package var byteOfFileName: UInt8? {
    value >= 0x10FF80 ? UInt8(truncatingIfNeeded: value) : nil
  }

  /// What stands for a byte of a file's name that is no text.
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
