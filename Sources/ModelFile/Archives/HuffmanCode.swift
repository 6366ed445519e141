/// A prefix code of DEFLATE, defined by the lengths of its symbols' codes.
struct HuffmanCode {
  private static let longest = 15

  /// The number of codes of each length.
  private var counts = [Int](repeating: 0, count: longest + 1)
  /// The symbols, sorted by their codes.
  private var symbols: [Int] = []

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
    symbols = lengths.indices.filter { lengths[$0] > 0 }
      .sorted { (lengths[$0], $0) < (lengths[$1], $1) }
  }

  /// Returns the symbol whose code is in the lowest bits, first bit lowest, and the length of that
  /// code.
  func decode(_ bits: UInt64) -> (symbol: Int, length: Int)? {
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
    symbols = all.indices.sorted { (all[$0], $0) < (all[$1], $1) }
  }

  /// The codes of blocks that do not define their own.
  static let fixedLiterals = HuffmanCode(fixed: [(8, 144), (9, 112), (7, 24), (8, 8)])
  static let fixedDistances = HuffmanCode(fixed: [(5, 30)])
}
