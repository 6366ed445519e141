/// The type of the elements of a NumPy array.
package struct NPYElement: Equatable, Sendable {
  /// The kind of an element; the letters are NumPy's.
  package enum Kind: Character, Sendable {
    case boolean = "b"
    case signed = "i"
    case unsigned = "u"
    case float = "f"
    case complex = "c"
    /// Text as bytes, padded with zeros.
    case bytes = "S"
    /// Text as UTF-32, padded with zeros.
    case unicode = "U"
  }

  package let kind: Kind
  /// The size of an element in bytes.
  package let size: Int

  package init(kind: Kind, size: Int) {
    self.kind = kind
    self.size = size
  }

  package static let bool = NPYElement(kind: .boolean, size: 1)
  package static let float16 = NPYElement(kind: .float, size: 2)
  package static let float32 = NPYElement(kind: .float, size: 4)
  package static let float64 = NPYElement(kind: .float, size: 8)
  package static let int8 = NPYElement(kind: .signed, size: 1)
  package static let int16 = NPYElement(kind: .signed, size: 2)
  package static let int32 = NPYElement(kind: .signed, size: 4)
  package static let int64 = NPYElement(kind: .signed, size: 8)
  package static let uint8 = NPYElement(kind: .unsigned, size: 1)
  package static let uint16 = NPYElement(kind: .unsigned, size: 2)
  package static let uint32 = NPYElement(kind: .unsigned, size: 4)
  package static let uint64 = NPYElement(kind: .unsigned, size: 8)
  package static let complex64 = NPYElement(kind: .complex, size: 8)
  package static let complex128 = NPYElement(kind: .complex, size: 16)

  /// The size of one number in bytes: the unit whose bytes are swapped to change the byte order.
  package var wordSize: Int {
    switch kind {
    case .complex: size / 2
    case .unicode: 4
    case .bytes: 1
    case .boolean, .signed, .unsigned, .float: size
    }
  }

  /// The type's name in NumPy, such as `<f4`.
  package var descriptor: String {
    let order = wordSize == 1 ? "|" : "<"
    return "\(order)\(kind.rawValue)\(kind == .unicode ? size / 4 : size)"
  }
}

extension NPYElement {
  /// Reads NumPy's name of a type; `nil` for types other than simple numbers and text.
  package init?(descriptor: String) {
    var rest = Substring(descriptor)
    guard let order = rest.popFirst(), "<>|=".contains(order),
      let kind = rest.popFirst().flatMap(Kind.init), let count = Int(rest), count >= 0
    else { return nil }
    let sizes: [Int]
    switch kind {
    case .boolean: sizes = [1]
    case .signed, .unsigned: sizes = [1, 2, 4, 8]
    case .float: sizes = [2, 4, 8]
    case .complex: sizes = [8, 16]
    case .bytes: sizes = [count]
    case .unicode:
      let (size, overflows) = count.multipliedReportingOverflow(by: 4)
      guard !overflows else { return nil }
      self.init(kind: kind, size: size)
      return
    }
    guard sizes.contains(count) else { return nil }
    self.init(kind: kind, size: count)
  }
}
