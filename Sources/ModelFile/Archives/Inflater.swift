/// Decompresses DEFLATE (RFC 1951) from untrusted bytes.
struct Inflater {
  /// The fewest bytes that blocks with codes of their own have on average, beyond a first thousand.
  ///
  /// A code takes microseconds to set up, so a few megabytes of blocks without contents would take
  /// many seconds. No compressor defines a code for so little.
  private static let bytesOfCode = 24

  private let input: UnsafeRawBufferPointer
  private var position: Int
  private var bits: UInt64 = 0
  private var bitCount = 0
  private var output: [UInt8] = []
  private var blocksWithCodes = 0
  private let limit: Int

  /// Decompresses to at most `limit` bytes, from byte `start` of the input to the end of the
  /// stream.
  ///
  /// - Returns: the bytes, and the end of the compressed ones in the input.
  static func inflate(
    _ input: UnsafeRawBufferPointer, from start: Int, limit: Int
  ) throws(ModelFileError) -> (contents: [UInt8], end: Int) {
    var inflater = Inflater(input: input, position: start, limit: limit)
    do throws(ModelFileError) {
      while try inflater.inflateBlock() {}
    } catch {
      throw error.byteOffset == nil ? error.at(inflater.end) : error
    }
    return (inflater.output, inflater.end)
  }

  private init(input: UnsafeRawBufferPointer, position: Int, limit: Int) {
    self.input = input
    self.position = position
    self.limit = limit
  }

  /// The position of the first byte of which no bit was used, without bytes that were read ahead.
  private var end: Int { position - bitCount / 8 }

  /// Returns whether more blocks follow.
  private mutating func inflateBlock() throws(ModelFileError) -> Bool {
    let isLast = try take(1) == 1
    switch try take(2) {
    case 0: try copyStored()
    case 1: try decode(literals: .fixedLiterals, distances: .fixedDistances)
    case 2:
      let (literals, distances) = try readCodes()
      try decode(literals: literals, distances: distances)
    default: throw .malformed("compressed block of no known kind")
    }
    return !isLast
  }

  private mutating func copyStored() throws(ModelFileError) {
    // The length of a stored block starts at the next byte.
    position = end
    (bits, bitCount) = (0, 0)
    let reader = ByteReader(input)
    let count = try reader.load(at: position, as: UInt16.self)
    guard try reader.load(at: position + 2, as: UInt16.self) == ~count else {
      throw .malformed("stored block of contradictory length")
    }
    try reserve(Int(count))
    output.append(contentsOf: try reader.slice(at: position + 4, count: Int(count)))
    position += 4 + Int(count)
  }

  private mutating func decode(
    literals: HuffmanCode, distances: HuffmanCode
  ) throws(ModelFileError) {
    while true {
      let symbol = try next(literals)
      if symbol < 256 {
        try reserve(1)
        output.append(UInt8(symbol))
      } else if symbol == 256 {
        return
      } else {
        try copyMatch(symbol - 257, distances)
      }
    }
  }

  /// Repeats earlier output; source and target may overlap.
  private mutating func copyMatch(
    _ symbol: Int, _ distances: HuffmanCode
  ) throws(ModelFileError) {
    guard symbol < Self.lengths.count else { throw .malformed("compressed length of no code") }
    let count = Self.lengths[symbol] + (try take(Self.lengthExtraBits[symbol]))
    let code = try next(distances)
    guard code < Self.distances.count else { throw .malformed("compressed distance of no code") }
    let distance = Self.distances[code] + (try take(code < 4 ? 0 : code / 2 - 1))
    guard distance <= output.count else {
      throw .malformed("compressed reference to before the beginning")
    }
    try reserve(count)
    let start = output.count - distance
    for index in start..<start + count { output.append(output[index]) }
  }

  private func reserve(_ count: Int) throws(ModelFileError) {
    guard count <= limit - output.count else {
      throw .tooLarge("decompresses to more than \(limit) bytes")
    }
  }

  // MARK: Codes

  /// Reads the codes that a block defines, which are compressed themselves.
  private mutating func readCodes() throws(ModelFileError) -> (HuffmanCode, HuffmanCode) {
    blocksWithCodes += 1
    guard blocksWithCodes <= 1000 + position / Self.bytesOfCode else {
      throw .tooLarge("compressed with more codes than contents")
    }
    let literalCount = try take(5) + 257
    let distanceCount = try take(5) + 1
    let codeCount = try take(4) + 4
    var codeLengths = [UInt8](repeating: 0, count: 19)
    for index in 0..<codeCount {
      codeLengths[Self.codeLengthOrder[index]] = UInt8(try take(3))
    }
    let code = try HuffmanCode(lengths: codeLengths)
    var lengths: [UInt8] = []
    while lengths.count < literalCount + distanceCount {
      switch try next(code) {
      case 16:
        guard let last = lengths.last else { throw .malformed("code length repeated before any") }
        lengths += Array(repeating: last, count: 3 + (try take(2)))
      case 17: lengths += Array(repeating: 0, count: 3 + (try take(3)))
      case 18: lengths += Array(repeating: 0, count: 11 + (try take(7)))
      case let length: lengths.append(UInt8(length))
      }
    }
    guard lengths.count == literalCount + distanceCount else {
      throw .malformed("more code lengths than codes")
    }
    return (
      try HuffmanCode(lengths: Array(lengths[..<literalCount])),
      try HuffmanCode(lengths: Array(lengths[literalCount...]))
    )
  }

  private mutating func next(_ code: HuffmanCode) throws(ModelFileError) -> Int {
    fill()
    guard let (symbol, length) = code.decode(bits), length <= bitCount else {
      throw .malformed("compressed data ends or follows no code")
    }
    bits >>= UInt64(length)
    bitCount -= length
    return symbol
  }

  // MARK: Bits

  private mutating func take(_ count: Int) throws(ModelFileError) -> Int {
    fill()
    guard count <= bitCount else { throw .malformed("compressed data ends early") }
    let value = bits & (1 << UInt64(count) - 1)
    bits >>= UInt64(count)
    bitCount -= count
    return Int(value)
  }

  private mutating func fill() {
    if bitCount < 48, position + 8 <= input.count {
      let next = UInt64(
        littleEndian: input.loadUnaligned(fromByteOffset: position, as: UInt64.self))
      bits |= next << UInt64(bitCount)
      let count = (63 - bitCount) / 8
      position += count
      bitCount += 8 * count
      // The bits above those that are counted will be read again.
      bits &= 1 << UInt64(bitCount) - 1
      return
    }
    while bitCount <= 56, position < input.count {
      bits |= UInt64(input[position]) << UInt64(bitCount)
      position += 1
      bitCount += 8
    }
  }

  // MARK: The tables of RFC 1951, section 3.2.5 and 3.2.7

  private static let lengths = [
    3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131,
    163, 195, 227, 258,
  ]
  private static let lengthExtraBits = [
    0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0,
  ]
  private static let distances = [
    1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049,
    3073, 4097, 6145, 8193, 12289, 16385, 24577,
  ]
  private static let codeLengthOrder = [
    16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15,
  ]
}
