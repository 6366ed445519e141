import OcellusPlatform

/// The parts of a body of type `multipart/form-data` (RFC 7578).
package struct MultipartForm: Sendable {
  /// A field or a file.
  package struct Part: Sendable {
    package var name: String
    package var fileName: String?
    /// The bytes of the part, as a range of the body.
    package var range: Range<Int>
  }

  /// The most parts that are read.
  private static let maximumParts = 100
  /// The most bytes of the headers of a part.
  private static let maximumHeader = 8192

  package let parts: [Part]
  private let body: [UInt8]

  /// Reads the form of a request, which may also be of type `application/x-www-form-urlencoded`.
  ///
  /// - Throws: `HTTPError` with status 415 if the body is no form, or 400 if the form is broken.
  package init(_ request: HTTPRequest) throws(HTTPError) {
    switch request.mediaType {
    case "multipart/form-data":
      guard let boundary = Self.parameter("boundary", of: request.header("content-type") ?? ""),
        (1...200).contains(boundary.utf8.count)
      else {
        throw HTTPError(
          400, "the form has no boundary: Content-Type: multipart/form-data; boundary=…")
      }
      try self.init(request.body, boundary: Array(boundary.utf8))
    case "application/x-www-form-urlencoded":
      self.init(urlEncoded: request.body)
    case let type:
      throw HTTPError(
        415,
        "the body is \(type.isEmpty ? "of no type" : "of type '\(type.prefix(60))'"), and should be a "
          + "form (multipart/form-data) with the picture in its field 'image': "
          + "curl -F image=@photo.jpg")
    }
  }

  /// Reads fields such as `min_confidence=0.5&api_key=x`.
  private init(urlEncoded body: [UInt8]) {
    var (values, parts) = ([UInt8](), [Part]())
    let text = String(decoding: body.prefix(1 << 20), as: UTF8.self)
    for item in PercentEncoding.items(text).prefix(Self.maximumParts) {
      let start = values.count
      values += item.value.utf8
      parts.append(Part(name: item.name, fileName: nil, range: start..<values.count))
    }
    self.parts = parts
    self.body = values
  }

  init(_ body: [UInt8], boundary: [UInt8]) throws(HTTPError) {
    self.body = body
    let mark = Array("--".utf8) + boundary
    // Boundaries begin lines. A search for one that need not would take time with its length, too.
    var position = 0
    if !Self.has(mark, in: body, at: 0) {
      guard let preambleEnd = Self.find(Self.lineBreak + mark, in: body, from: 0) else {
        throw HTTPError(400, "the form's boundary is not in its body")
      }
      position = preambleEnd + Self.lineBreak.count
    }
    var parts: [Part] = []
    while true {
      position += mark.count
      if Self.has(Array("--".utf8), in: body, at: position) { break }
      guard let lineEnd = Self.find(Self.lineBreak, in: body, from: position),
        body[position..<lineEnd].allSatisfy({ $0 == 0x20 || $0 == 0x09 })
      else { throw HTTPError(400, "a boundary of the form is not followed by the end of its line") }
      // A part without headers has only the empty line after the boundary.
      guard let end = Self.find(Self.lineBreak + mark, in: body, from: lineEnd) else {
        throw HTTPError(400, "the form ends within a part: its last boundary is missing")
      }
      guard parts.count < Self.maximumParts else {
        throw HTTPError(400, "the form has more than \(Self.maximumParts) parts")
      }
      parts.append(try Self.part(body, lineEnd..<end))
      position = end + Self.lineBreak.count
    }
    self.parts = parts
  }

  /// Reads a part with its headers.
  private static func part(_ body: [UInt8], _ range: Range<Int>) throws(HTTPError) -> Part {
    let blank = lineBreak + lineBreak
    guard let headerEnd = find(blank, in: body, from: range.lowerBound),
      headerEnd + blank.count <= range.upperBound,
      headerEnd - range.lowerBound <= maximumHeader
    else { throw HTTPError(400, "a part of the form has no end of its headers") }
    let text = String(decoding: body[range.lowerBound..<headerEnd], as: UTF8.self)
    var name: String?
    var fileName: String?
    for line in text.split(separator: "\r\n") {
      guard let colon = line.firstIndex(of: ":"),
        line[..<colon].trimmed.lowercased() == "content-disposition"
      else { continue }
      let value = String(line[line.index(after: colon)...])
      name = parameter("name", of: value)
      fileName = parameter("filename", of: value)
    }
    guard let name else { throw HTTPError(400, "a part of the form has no name") }
    return Part(
      name: name, fileName: fileName, range: headerEnd + blank.count..<range.upperBound)
  }

  /// Returns the bytes of a part.
  package func bytes(of part: Part) -> [UInt8] { Array(body[part.range]) }

  /// Returns the text of the field with a name.
  package func text(_ name: String) -> String? {
    parts.last { $0.name == name && $0.fileName == nil }
      .map { String(decoding: body[$0.range], as: UTF8.self) }
  }

  /// Returns the file with a name; without one of this name, the first file of the form.
  package func file(_ name: String) -> [UInt8]? {
    let part = parts.first { $0.name == name } ?? parts.first { $0.fileName != nil }
    return part.map { bytes(of: $0) }
  }

  private static let lineBreak = Array("\r\n".utf8)

  private static func has(_ mark: [UInt8], in body: [UInt8], at position: Int) -> Bool {
    position + mark.count <= body.count
      && body[position..<position + mark.count].elementsEqual(mark)
  }

  /// Returns the position of the first occurrence of some bytes.
  private static func find(_ mark: [UInt8], in body: [UInt8], from start: Int) -> Int? {
    body.withUnsafeBufferPointer { bytes in
      var position = start
      let last = bytes.count - mark.count
      while position <= last {
        // The C library looks for the first byte many bytes at a time.
        guard let base = bytes.baseAddress,
          let hit = memchr(base + position, Int32(mark[0]), last - position + 1)
        else { return nil }
        position = UnsafeRawPointer(hit) - UnsafeRawPointer(base)
        if mark.indices.allSatisfy({ bytes[position + $0] == mark[$0] }) { return position }
        position += 1
      }
      return nil
    }
  }

  /// Returns a parameter of a header such as `form-data; name="image"`.
  static func parameter(_ name: String, of header: String) -> String? {
    var rest = header[...]
    while let semicolon = rest.firstIndex(of: ";") {
      rest = rest[rest.index(after: semicolon)...].drop { $0 == " " || $0 == "\t" }
      guard let equals = rest.firstIndex(of: "=") else { return nil }
      let found = rest[..<equals].trimmed.lowercased()
      rest = rest[rest.index(after: equals)...]
      let value: String
      if rest.first == "\"" {
        rest.removeFirst()
        var text = ""
        while let character = rest.popFirst(), character != "\"" {
          text.append(character == "\\" ? rest.popFirst() ?? "\\" : character)
        }
        value = text
      } else {
        value = String(rest.prefix { $0 != ";" }).trimmed
      }
      if found == name { return value }
    }
    return nil
  }
}
