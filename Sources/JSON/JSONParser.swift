import OcellusPlatform

/// Reads JSON (RFC 8259) strictly, but also `NaN`, `Infinity` and `-Infinity`, which Python writes.
///
/// Trailing commas are an option. The second half of a surrogate pair by itself stands for a byte
/// of a file name, as in Python.
package struct JSONParser {
  /// The deepest nesting that is accepted, because every level takes stack.
  package static let depthLimit = 256

  private let bytes: [UInt8]
  private var position = 0
  private var depth = 0
  private let allowsTrailingCommas: Bool

  private init(_ bytes: [UInt8], allowsTrailingCommas: Bool) {
    self.bytes = bytes
    self.allowsTrailingCommas = allowsTrailingCommas
  }

  /// Parses the only value in the text.
  package static func parse(
    _ bytes: [UInt8], allowsTrailingCommas: Bool = false
  ) throws(JSONError) -> JSONValue {
    var parser = JSONParser(bytes, allowsTrailingCommas: allowsTrailingCommas)
    let value = try parser.value()
    parser.skipSpace()
    guard parser.position == bytes.count else { throw parser.error("more text behind the value") }
    return value
  }

  private func error(_ problem: String) -> JSONError {
    JSONError(byteOffset: position, problem: problem)
  }

  private var current: UInt8? { position < bytes.count ? bytes[position] : nil }

  private mutating func skipSpace() {
    while let byte = current, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 {
      position += 1
    }
  }

  /// Skips the byte if it is the next one.
  private mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard current == UInt8(ascii: character) else { return false }
    position += 1
    return true
  }

  private mutating func value() throws(JSONError) -> JSONValue {
    skipSpace()
    guard let byte = current else { throw error("the text ends where a value should be") }
    switch Unicode.Scalar(byte) {
    case "{": return try nested { parser throws(JSONError) in try parser.object() }
    case "[": return try nested { parser throws(JSONError) in try parser.array() }
    case "\"": return .string(try string())
    case "t": return try word("true", .bool(true))
    case "f": return try word("false", .bool(false))
    case "n": return try word("null", .null)
    case "N": return try word("NaN", .number(.nan))
    case "I": return try word("Infinity", .number(.infinity))
    case "-", "0"..."9": return try number()
    default: throw error("no value starts like this")
    }
  }

  private mutating func nested(
    _ read: (inout JSONParser) throws(JSONError) -> JSONValue
  ) throws(JSONError) -> JSONValue {
    guard depth < Self.depthLimit else { throw error("nested deeper than \(Self.depthLimit)") }
    depth += 1
    position += 1
    let value = try read(&self)
    depth -= 1
    return value
  }

  private mutating func object() throws(JSONError) -> JSONValue {
    var object = JSONObject()
    skipSpace()
    if take("}") { return .object(object) }
    repeat {
      skipSpace()
      if allowsTrailingCommas, !object.members.isEmpty, current == UInt8(ascii: "}") { break }
      guard current == UInt8(ascii: "\"") else { throw error("a member's name should be here") }
      let name = try string()
      skipSpace()
      guard take(":") else { throw error("a colon should be here") }
      object.append(name, try value())
      skipSpace()
    } while take(",")
    guard take("}") else { throw error("a comma or the end of the object should be here") }
    return .object(object)
  }

  private mutating func array() throws(JSONError) -> JSONValue {
    var elements: [JSONValue] = []
    skipSpace()
    if take("]") { return .array(elements) }
    repeat {
      skipSpace()
      if allowsTrailingCommas, !elements.isEmpty, current == UInt8(ascii: "]") { break }
      elements.append(try value())
      skipSpace()
    } while take(",")
    guard take("]") else { throw error("a comma or the end of the array should be here") }
    return .array(elements)
  }

  private mutating func word(
    _ word: StaticString, _ value: JSONValue
  ) throws(JSONError) -> JSONValue {
    let end = position + word.utf8CodeUnitCount
    let matches = word.withUTF8Buffer {
      end <= bytes.count && $0.elementsEqual(bytes[position..<end])
    }
    guard matches else { throw error("no value starts like this") }
    position = end
    return value
  }

  private mutating func number() throws(JSONError) -> JSONValue {
    let start = position
    _ = take("-")
    if current == UInt8(ascii: "I") {
      return try word("Infinity", .number(-.infinity))
    }
    if !take("0") { try digits() }
    var isWhole = true
    if take(".") {
      isWhole = false
      try digits()
    }
    if take("e") || take("E") {
      isWhole = false
      if !take("+") { _ = take("-") }
      try digits()
    }
    let text = String(decoding: bytes[start..<position], as: UTF8.self)
    if isWhole, let number = Int(text) { return .integer(number) }
    guard let number = Double(text) else { throw error("not a number") }
    return .number(number)
  }

  private mutating func digits() throws(JSONError) {
    let start = position
    while let byte = current, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) {
      position += 1
    }
    guard position > start else { throw error("a digit should be here") }
  }
}

extension JSONParser {
  private mutating func string() throws(JSONError) -> String {
    position += 1
    var text: [UInt8] = []
    while let byte = current {
      switch Unicode.Scalar(byte) {
      case "\"":
        guard let string = String(validating: text, as: UTF8.self) else {
          throw error("the string is not UTF-8")
        }
        position += 1
        return string
      case "\\":
        position += 1
        let character = try escape()
        text.append(contentsOf: Character(character).utf8)
      case "\u{00}"..<"\u{20}":
        throw error("a control character inside a string")
      default:
        text.append(byte)
        position += 1
      }
    }
    throw error("the text ends inside a string")
  }

  private mutating func escape() throws(JSONError) -> Unicode.Scalar {
    guard let byte = current else { throw error("the text ends inside a string") }
    position += 1
    switch Unicode.Scalar(byte) {
    case "\"": return "\""
    case "\\": return "\\"
    case "/": return "/"
    case "b": return "\u{08}"
    case "f": return "\u{0C}"
    case "n": return "\n"
    case "r": return "\r"
    case "t": return "\t"
    case "u": return try unicodeEscape()
    default: throw error("no such escape")
    }
  }

  /// Returns one scalar, from four hexadecimal digits, or from two times four for a surrogate pair.
  private mutating func unicodeEscape() throws(JSONError) -> Unicode.Scalar {
    let first = try codeUnit()
    if let scalar = Unicode.Scalar(first) { return scalar }
    if first >> 8 == 0xDC, let byte = Unicode.Scalar(byteOfFileName: UInt8(first & 0xFF)) {
      return byte
    }
    guard UTF16.isLeadSurrogate(first), take("\\"), take("u") else {
      throw error("half of a surrogate pair")
    }
    let second = try codeUnit()
    guard UTF16.isTrailSurrogate(second) else { throw error("half of a surrogate pair") }
    return UTF16.decode(UTF16.EncodedScalar([first, second]))
  }

  private mutating func codeUnit() throws(JSONError) -> UInt16 {
    var unit: UInt16 = 0
    for _ in 0..<4 {
      guard let byte = current, let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
        throw error("four hexadecimal digits should be here")
      }
      unit = unit << 4 | UInt16(digit)
      position += 1
    }
    return unit
  }
}
