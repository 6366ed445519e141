import OcellusPlatform

/// An element of an XML file, with its name, text and children; attributes are skipped.
struct XMLElement {
  let name: String
  /// The position of the element in the file.
  let byteOffset: Int
  private(set) var text = ""
  private(set) var children: [XMLElement] = []

  /// Returns the first child of this name.
  subscript(name: String) -> XMLElement? { children.first { $0.name == name } }

  /// A syntax error, with its position.
  struct Mistake: Error {
    let byteOffset: Int
    let problem: String
  }

  /// Annotations are four levels deep; the limit bounds the memory of malicious files.
  private static let depthLimit = 64

  /// Parses a file with one root element.
  static func parse(_ bytes: [UInt8]) throws(Mistake) -> XMLElement {
    var reader = XMLReader(bytes)
    // The open elements, outermost first; the first one stands for the file.
    var open = [XMLElement(name: "", byteOffset: 0)]
    while let part = try reader.next() {
      switch part {
      case .text(let text): open[open.count - 1].text += text
      case .begin(let name, let offset, let isEmpty):
        guard open.count < depthLimit else {
          throw Mistake(byteOffset: offset, problem: "nested deeper than \(depthLimit)")
        }
        open.append(XMLElement(name: name, byteOffset: offset))
        if isEmpty { close(&open) }
      case .end(let name, let offset):
        guard open.count > 1, open[open.count - 1].name == name else {
          throw Mistake(byteOffset: offset, problem: "</\(name)> has no start tag")
        }
        close(&open)
      }
    }
    guard open.count == 1 else {
      let name = open[open.count - 1].name
      throw Mistake(byteOffset: bytes.count, problem: "the file ends inside <\(name)>")
    }
    guard let element = open[0].children.first else {
      throw Mistake(byteOffset: bytes.count, problem: "the file has no element")
    }
    return element
  }

  private static func close(_ open: inout [XMLElement]) {
    let element = open.removeLast()
    open[open.count - 1].children.append(element)
  }
}

/// A tokenizer that splits XML into start tags, text and end tags.
private struct XMLReader {
  enum Part {
    case begin(String, offset: Int, isEmpty: Bool)
    case end(String, offset: Int)
    case text(String)
  }

  private let bytes: [UInt8]
  private var position: Int

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    position = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
  }

  /// Returns the next token; `nil` at the end.
  mutating func next() throws(XMLElement.Mistake) -> Part? {
    while position < bytes.count {
      guard bytes[position] == UInt8(ascii: "<") else { return .text(try text()) }
      if isNext("<!--") {
        _ = try upTo("-->")
      } else if isNext("<![CDATA[") {
        position += 9
        return .text(String(decoding: try upTo("]]>"), as: UTF8.self))
      } else if isNext("<?") || isNext("<!") {
        let declaration = try upTo(">")
        guard !declaration.contains(UInt8(ascii: "[")) else {
          throw error("a document type with declarations of its own is not read")
        }
      } else {
        return try tag()
      }
    }
    return nil
  }

  private func error(_ problem: String) -> XMLElement.Mistake {
    XMLElement.Mistake(byteOffset: position, problem: problem)
  }

  private func isNext(_ text: StaticString) -> Bool {
    text.withUTF8Buffer { bytes[position...].starts(with: $0) }
  }

  /// Returns the bytes before a mark, and skips the mark.
  private mutating func upTo(_ mark: StaticString) throws(XMLElement.Mistake) -> ArraySlice<UInt8> {
    let start = position
    while position < bytes.count {
      if isNext(mark) {
        defer { position += mark.utf8CodeUnitCount }
        return bytes[start..<position]
      }
      position += 1
    }
    throw XMLElement.Mistake(byteOffset: start, problem: "this ends nowhere")
  }

  private mutating func tag() throws(XMLElement.Mistake) -> Part {
    let offset = position
    position += 1
    var inside = try upTo(">")
    let isEnd = inside.first == UInt8(ascii: "/")
    let isEmpty = inside.last == UInt8(ascii: "/") && !isEnd
    inside = inside.dropFirst(isEnd ? 1 : 0).dropLast(isEmpty ? 1 : 0)
    // Attributes follow the name and are ignored.
    let name = inside.prefix { !$0.isXMLSpace }
    guard !name.isEmpty else {
      throw XMLElement.Mistake(byteOffset: offset, problem: "an element without a name")
    }
    let word = String(decoding: name, as: UTF8.self)
    return isEnd ? .end(word, offset: offset) : .begin(word, offset: offset, isEmpty: isEmpty)
  }

  private mutating func text() throws(XMLElement.Mistake) -> String {
    var text: [UInt8] = []
    while position < bytes.count, bytes[position] != UInt8(ascii: "<") {
      guard bytes[position] == UInt8(ascii: "&") else {
        text.append(bytes[position])
        position += 1
        continue
      }
      text += Array(String(try entity()).utf8)
    }
    return String(decoding: text, as: UTF8.self)
  }

  private mutating func entity() throws(XMLElement.Mistake) -> Unicode.Scalar {
    let start = position
    position += 1
    let name = String(decoding: try upTo(";"), as: UTF8.self)
    switch name {
    case "lt": return "<"
    case "gt": return ">"
    case "amp": return "&"
    case "quot": return "\""
    case "apos": return "'"
    default: break
    }
    let digits = name.dropFirst(name.hasPrefix("#x") ? 2 : 1)
    let number = UInt32(digits, radix: name.hasPrefix("#x") ? 16 : 10)
    guard name.hasPrefix("#"), let scalar = number.flatMap(Unicode.Scalar.init) else {
      throw XMLElement.Mistake(
        byteOffset: start, problem: "'&\(name.shortened);' stands for nothing")
    }
    return scalar
  }
}

extension UInt8 {
  /// Whether the byte is white space in XML.
  fileprivate var isXMLSpace: Bool { self == 0x20 || self == 0x09 || self == 0x0A || self == 0x0D }
}
