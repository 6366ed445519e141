/// What a portable anymap says before its samples.
struct PNMHeader {
  /// Whether the samples are written as decimal numbers.
  private(set) var isText = false
  private(set) var size = PixelSize(width: 0, height: 0)
  /// The samples of a pixel: gray or red, green and blue, and perhaps opacity behind them.
  private(set) var channels = 0
  /// The sample that stands for white.
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

  /// PAM has a line for each field, in any order.
  private mutating func readFields(_ text: inout PNMText) throws(ImageError) {
    while true {
      let field = try text.word()
      switch field {
      case "WIDTH": size.width = try text.number()
      case "HEIGHT": size.height = try text.number()
      case "DEPTH": channels = try text.number()
      case "MAXVAL": maximum = try text.number()
      // Says what the samples mean, which their number says too.
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

  /// The bytes that one sample takes in the file, at least.
  var sampleBytes: Int { isText ? 2 : maximum > 255 ? 2 : 1 }

  var samplesInRow: Int { size.width * channels }

  /// Gray keeps its 16 bits; colours become bytes, and gray with opacity becomes colours.
  var format: PixelFormat {
    switch channels {
    case 1: maximum > 255 ? .gray16 : .gray8
    case 3: .rgb8
    default: .rgba8
    }
  }
}

/// The words and numbers of an anymap, between which there may be comments.
struct PNMText {
  let bytes: UnsafeRawBufferPointer
  private(set) var position = 0

  init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  /// The next word, or as much of it as words are long.
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
      // More digits than any number here has, and no overflow yet.
      guard position - start < 10 else { break }
    }
    guard position > start, position == bytes.count || bytes[position].isBlank else {
      throw ImageError(.malformed, "a number should be here", byteOffset: start)
    }
    return number
  }

  /// Skips the one blank between the header and samples that are bytes.
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
