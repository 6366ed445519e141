/// The header of a portable anymap.
struct PNMHeader {
  /// Whether the samples are written as decimal numbers.
  private(set) var isText = false
  private(set) var size = PixelSize(width: 0, height: 0)
  /// The number of samples per pixel: gray or RGB, optionally followed by alpha.
  private(set) var channels = 0
  /// The sample value of white.
  private(set) var maximum = 0

  /// Reads the header, and leaves `text` at the first sample.
  init(_ text: inout PNMText) throws(ImageError) {
    let kind = try text.word()
    switch kind {
    case "P7": try readFields(&text)
    default:
      isText = kind == "P2" || kind == "P3"
      channels = kind == "P2" || kind == "P5" ? 1 : 3
      size = PixelSize(width: try text.number(), height: try text.number())
      maximum = try text.number()
      try text.skipBlank()
    }
    guard (1...65_535).contains(maximum) else {
      throw ImageError(
        .malformed, "the largest sample is \(maximum), not 1 to 65535", byteOffset: text.position)
    }
  }

  /// Reads the header of PAM, which has a line per field, in any order.
  private mutating func readFields(_ text: inout PNMText) throws(ImageError) {
    while true {
      let field = try text.word()
      switch field {
      case "WIDTH": size.width = try text.number()
      case "HEIGHT": size.height = try text.number()
      case "DEPTH": channels = try text.number()
      case "MAXVAL": maximum = try text.number()
      // The tuple type is ignored, because the number of channels determines the format.
      case "TUPLTYPE": _ = try text.word()
      case "ENDHDR":
        try text.skipBlank()
        guard (1...4).contains(channels) else {
          throw ImageError(
            .unsupported, "a PAM picture of \(channels) channels is not read; only 1 to 4",
            byteOffset: text.position)
        }
        return
      default:
        throw ImageError(
          .malformed, "'\(field)' is not a field of a PAM header", byteOffset: text.position)
      }
    }
  }

  /// The size of one sample in the file, in bytes; for text, the minimum: a digit and white space.
  var sampleBytes: Int { isText ? 2 : maximum > 255 ? 2 : 1 }

  var samplesInRow: Int { size.width * channels }

  /// 16-bit gray keeps its depth, all other samples become bytes, and gray with alpha becomes RGBA.
  var format: PixelFormat {
    switch channels {
    case 1: maximum > 255 ? .gray16 : .gray8
    case 3: .rgb8
    default: .rgba8
    }
  }
}

/// A tokenizer for the words and numbers of an anymap, which skips comments.
struct PNMText {
  let bytes: UnsafeRawBufferPointer
  private(set) var position = 0

  init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  /// Reads the next word, up to 32 bytes of it.
  mutating func word() throws(ImageError) -> String {
    try skipBlanksAndComments()
    let start = position
    while position < bytes.count, position - start < 32, !bytes[position].isBlank { position += 1 }
    return String(decoding: bytes[start..<position], as: UTF8.self)
  }

  mutating func number() throws(ImageError) -> Int {
    try skipBlanksAndComments()
    let start = position
    var number = 0
    while position < bytes.count, case let digit = bytes[position] &- 0x30, digit < 10 {
      number = number * 10 + Int(digit)
      position += 1
      // No valid number has this many digits, and the value has not overflowed yet.
      guard position - start < 10 else { break }
    }
    guard position > start, position == bytes.count || bytes[position].isBlank else {
      throw ImageError(.malformed, "a number should be here", byteOffset: start)
    }
    return number
  }

  /// Skips the single white-space byte between the header and the samples.
  mutating func skipBlank() throws(ImageError) {
    guard position < bytes.count else { throw endOfFile }
    position += 1
  }

  private mutating func skipBlanksAndComments() throws(ImageError) {
    while position < bytes.count {
      if bytes[position] == UInt8(ascii: "#") {
        while position < bytes.count, bytes[position] != UInt8(ascii: "\n") { position += 1 }
      } else if bytes[position].isBlank {
        position += 1
      } else {
        return
      }
    }
    throw endOfFile
  }

  private var endOfFile: ImageError {
    ImageError(.malformed, "the file ends too early", byteOffset: bytes.count)
  }
}
