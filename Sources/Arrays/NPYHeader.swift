/// The header of a .npy file: a Python dictionary with three known keys.
struct NPYHeader: Equatable {
  /// The most dimensions that are accepted, as in NumPy 1.
  static let largestRank = 32
  /// The longest header that is accepted; those of numbers and text have some hundred bytes.
  static let longestHeader = 1 << 16

  var descriptor = ""
  var isFortranOrder = false
  var shape: [Int] = []

  /// Reads the header, and returns the offset of the data too.
  static func read(from file: UnsafeRawBufferPointer) throws(NPYError) -> (
    header: NPYHeader, dataOffset: Int
  ) {
    guard file.starts(with: NPYArray.magic), file.count >= 10 else {
      throw NPYError("it does not start as a .npy file does")
    }
    // The length of the header has two bytes in version 1.0, and four in 2.0 and 3.0.
    let lengthSize: Int
    switch file[6] {
    case 1: lengthSize = 2
    case 2, 3: lengthSize = 4
    default: throw NPYError("format version \(file[6]) is not known")
    }
    let start = 8 + lengthSize
    guard file.count >= start else { throw NPYError("it ends inside its header") }
    let length = file[8..<start].reversed().reduce(0) { $0 << 8 | Int($1) }
    guard length <= file.count - start else { throw NPYError("it ends inside its header") }
    guard length <= longestHeader else { throw NPYError("its header has \(length) bytes") }
    guard let text = String(validating: file[start..<start + length], as: UTF8.self) else {
      throw NPYError("its header is not text")
    }
    var literal = Literal(rest: Substring(text))
    return (try literal.header(), start + length)
  }
}

extension NPYHeader {
  /// The part of the header's text that has not been read yet.
  private struct Literal {
    var rest: Substring

    mutating func header() throws(NPYError) -> NPYHeader {
      var header = NPYHeader()
      var seen: Set<String> = []
      try expect("{")
      while !take("}") {
        let name = try string()
        guard seen.insert(name).inserted else {
          throw NPYError("its header has several members '\(name.prefix(12))'")
        }
        try expect(":")
        switch name {
        case "descr": header.descriptor = try string()
        case "fortran_order": header.isFortranOrder = try truth()
        case "shape": header.shape = try tuple()
        default: throw NPYError("its header has an unknown member '\(name.prefix(12))'")
        }
        if !take(",") {
          try expect("}")
          break
        }
      }
      guard seen.count == 3 else {
        throw NPYError("its header lacks descr, fortran_order or shape")
      }
      return header
    }

    private mutating func take(_ token: String) -> Bool {
      rest = rest.drop(while: \.isWhitespace)
      guard rest.hasPrefix(token) else { return false }
      rest = rest.dropFirst(token.count)
      return true
    }

    private mutating func expect(_ token: String) throws(NPYError) {
      guard take(token) else {
        throw NPYError("its header should have '\(token)' before '\(rest.prefix(12))'")
      }
    }

    private mutating func string() throws(NPYError) -> String {
      let quote: Character = take("\"") ? "\"" : "'"
      if quote == "'", !take("'") {
        throw NPYError("its header has '\(rest.prefix(12))' where a plain type or name should be")
      }
      guard let end = rest.firstIndex(of: quote) else { throw NPYError("its header ends early") }
      defer { rest = rest[rest.index(after: end)...] }
      return String(rest[..<end])
    }

    private mutating func truth() throws(NPYError) -> Bool {
      if take("True") { return true }
      try expect("False")
      return false
    }

    private mutating func tuple() throws(NPYError) -> [Int] {
      var dimensions: [Int] = []
      try expect("(")
      while !take(")") {
        rest = rest.drop(while: \.isWhitespace)
        let digits = rest.prefix { $0.isASCII && $0.isNumber }
        guard let dimension = Int(digits) else {
          throw NPYError("its shape has '\(rest.prefix(12))' where a dimension should be")
        }
        rest = rest.dropFirst(digits.count)
        dimensions.append(dimension)
        guard dimensions.count <= NPYHeader.largestRank else {
          throw NPYError("its shape has more than \(NPYHeader.largestRank) dimensions")
        }
        if !take(",") {
          try expect(")")
          break
        }
      }
      return dimensions
    }
  }
}
