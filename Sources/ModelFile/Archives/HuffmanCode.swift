/// A prefix code of DEFLATE, defined by the lengths of its symbols' codes.
struct HuffmanCode {
  private static let longest = 15
  /// The number of bits that select an entry of the table.
  private static let tableBits = 10

  /// The number of codes of each length.
  private var counts = [Int](repeating: 0, count: longest + 1)
  /// The symbols, sorted by their codes.
  private var symbols: [Int] = []
  /// For each value of the next bits, 16 times the symbol and the length of its code; 0 if its code
  /// is longer than these bits, or missing.
  private var table = [UInt16](repeating: 0, count: 1 << tableBits)

  /// Makes a code, and throws if there are too many codes of a length.
  ///
  /// Missing codes are allowed, and fail when they occur.
  init(lengths: [UInt8]) throws(ModelFileError) {
    for length in lengths where length > 0 { counts[Int(length)] += 1 }
    var free = 1
    for length in 1...Self.longest {
      free = 2 * free - counts[length]
      guard free >= 0 else { throw .malformed("compressed with a contradictory code") }
    }
    symbols = Self.sorted(lengths)
    fillTable()
  }

  private static func sorted(_ lengths: [UInt8]) -> [Int] {
    lengths.indices.filter { lengths[$0] > 0 }.sorted { (lengths[$0], $0) < (lengths[$1], $1) }
  }

  /// Enters the short codes, which are nearly all that occur.
  private mutating func fillTable() {
    var code = 0
    var position = 0
    for length in 1...Self.tableBits {
      for symbol in symbols[position..<position + counts[length]] {
        // The first bit of a code comes lowest; the bits above it are those of the next codes.
        let first = (0..<length).reduce(0) { $0 | (code >> $1 & 1) << (length - 1 - $1) }
        for index in stride(from: first, to: table.count, by: 1 << length) {
          table[index] = UInt16(symbol << 4 | length)
        }
        code += 1
      }
      position += counts[length]
      code <<= 1
    }
  }

  /// Returns the symbol whose code is in the lowest bits, first bit lowest, and the length of that
  /// code.
  @inline(__always)
  func decode(_ bits: UInt64) -> (symbol: Int, length: Int)? {
    let entry = Int(table[Int(truncatingIfNeeded: bits) & (table.count - 1)])
    return entry != 0 ? (entry >> 4, entry & 15) : decodeLong(bits)
  }

  /// Decodes a code of any length, bit by bit.
  private func decodeLong(_ bits: UInt64) -> (symbol: Int, length: Int)? {
    var code = 0
    var firstCode = 0
    var firstSymbol = 0
    for length in 1...Self.longest {
      code |= Int(bits >> UInt64(length - 1) & 1)
      let count = counts[length]
      if code - firstCode < count { return (symbols[firstSymbol + code - firstCode], length) }
      firstSymbol += count
      firstCode = (firstCode + count) << 1
      code <<= 1
    }
    return nil
  }

  private init(fixed lengths: [(length: UInt8, count: Int)]) {
    let all = lengths.flatMap { Array(repeating: $0.length, count: $0.count) }
    for length in all { counts[Int(length)] += 1 }
    symbols = Self.sorted(all)
    fillTable()
  }

  /// The codes of blocks that do not define their own.
  static let fixedLiterals = HuffmanCode(fixed: [(8, 144), (9, 112), (7, 24), (8, 8)])
  static let fixedDistances = HuffmanCode(fixed: [(5, 30)])
}
