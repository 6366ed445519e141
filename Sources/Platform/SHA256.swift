import OcellusHashInstructions

/// The SHA-256 hash function (FIPS 180-4).
package struct SHA256: Sendable {
  /// Whether this processor has instructions for rounds of the function.
  package static let hasInstructions = CPUFeatures.current.contains(.sha256)

  private static let blockSize = 64

  private var state = Self.initialState
  /// The bytes that do not fill a block yet.
  private var pending: [UInt8] = []
  private var byteCount = 0
  private let usesInstructions: Bool

  /// Makes the hash of no bytes; all ways to compute it give the same one.
  package init(usingInstructions usesInstructions: Bool = Self.hasInstructions) {
    self.usesInstructions = usesInstructions
    pending.reserveCapacity(Self.blockSize)
  }

  /// Appends bytes to the input.
  package mutating func update(_ bytes: UnsafeRawBufferPointer) {
    byteCount += bytes.count
    var rest = bytes[...]
    if !pending.isEmpty {
      let taken = min(Self.blockSize - pending.count, rest.count)
      pending += rest.prefix(taken)
      rest = rest.dropFirst(taken)
      guard pending.count == Self.blockSize else { return }
      pending.withUnsafeBytes { addBlocks($0) }
      pending.removeAll(keepingCapacity: true)
    }
    let whole = rest.count / Self.blockSize * Self.blockSize
    addBlocks(UnsafeRawBufferPointer(rebasing: rest.prefix(whole)))
    pending += rest.dropFirst(whole)
  }

  /// Appends bytes to the input.
  package mutating func update(_ bytes: some Sequence<UInt8>) {
    Array(bytes).withUnsafeBytes { update($0) }
  }

  /// Returns the 32 bytes of the input's hash.
  package func finalized() -> [UInt8] {
    var copy = self
    let bitCount = UInt64(byteCount) * 8
    let zeros = (Self.blockSize * 2 - 9 - pending.count) % Self.blockSize
    copy.update([0x80] + [UInt8](repeating: 0, count: zeros))
    copy.update((0..<8).map { UInt8(truncatingIfNeeded: bitCount >> (56 - 8 * $0)) })
    return (0..<8).flatMap { word in
      (0..<4).map { UInt8(truncatingIfNeeded: copy.state[word] >> (24 - 8 * $0)) }
    }
  }

  /// Returns the hash of some bytes.
  package static func hash(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
    var hash = SHA256()
    hash.update(bytes)
    return hash.finalized()
  }

  /// Returns the hash of some bytes.
  package static func hash(_ bytes: [UInt8]) -> [UInt8] { bytes.withUnsafeBytes { hash($0) } }

  // MARK: FIPS 180-4, section 6.2.2

  private mutating func addBlocks(_ blocks: UnsafeRawBufferPointer) {
    Self.roundConstants.withUnsafeBufferPointer { constants in
      guard let constants = constants.baseAddress, let start = blocks.baseAddress else { return }
      #if arch(x86_64) || arch(arm64)
        if usesInstructions {
          let count = blocks.count / Self.blockSize
          return hashBlocks(start, count: count, into: &state, constants)
        }
      #endif
      withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 64) { schedule in
        guard let words = schedule.baseAddress else { return }
        for offset in stride(from: 0, to: blocks.count, by: Self.blockSize) {
          Self.expand(blocks, at: offset, into: words)
          state &+= Self.rounds(from: state, words, constants)
        }
      }
    }
  }

  @inline(__always)
  private static func expand(
    _ blocks: UnsafeRawBufferPointer, at start: Int, into words: UnsafeMutablePointer<UInt32>
  ) {
    for word in 0..<16 {
      words[word] = UInt32(
        bigEndian: blocks.loadUnaligned(fromByteOffset: start + 4 * word, as: UInt32.self))
    }
    for word in 16..<64 {
      let (a, b) = (words[word - 15], words[word - 2])
      let first = rotated(a, 7) ^ rotated(a, 18) ^ (a &>> 3)
      let second = rotated(b, 17) ^ rotated(b, 19) ^ (b &>> 10)
      words[word] = words[word - 16] &+ first &+ words[word - 7] &+ second
    }
  }

  @inline(__always)
  private static func rounds(
    from state: SIMD8<UInt32>, _ words: UnsafePointer<UInt32>, _ constants: UnsafePointer<UInt32>
  ) -> SIMD8<UInt32> {
    var (a, b, c, d) = (state[0], state[1], state[2], state[3])
    var (e, f, g, h) = (state[4], state[5], state[6], state[7])
    func word(_ round: Int) -> UInt32 { words[round] &+ constants[round] }
    // Eight rounds at once: renaming the variables replaces moving the words.
    for round in stride(from: 0, to: 64, by: 8) {
      mix(a, b, c, &d, e, f, g, &h, word(round))
      mix(h, a, b, &c, d, e, f, &g, word(round &+ 1))
      mix(g, h, a, &b, c, d, e, &f, word(round &+ 2))
      mix(f, g, h, &a, b, c, d, &e, word(round &+ 3))
      mix(e, f, g, &h, a, b, c, &d, word(round &+ 4))
      mix(d, e, f, &g, h, a, b, &c, word(round &+ 5))
      mix(c, d, e, &f, g, h, a, &b, word(round &+ 6))
      mix(b, c, d, &e, f, g, h, &a, word(round &+ 7))
    }
    return SIMD8(a, b, c, d, e, f, g, h)
  }

  /// Computes one round; `d` and `h` then hold new words for the next one.
  @inline(__always)
  private static func mix(
    _ a: UInt32, _ b: UInt32, _ c: UInt32, _ d: inout UInt32, _ e: UInt32, _ f: UInt32,
    _ g: UInt32, _ h: inout UInt32, _ word: UInt32
  ) {
    let choice = g ^ (e & (f ^ g))
    let first = h &+ (rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25)) &+ choice &+ word
    let majority = (a & b) | (c & (a | b))
    d &+= first
    h = first &+ (rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22)) &+ majority
  }

  @inline(__always)
  private static func rotated(_ word: UInt32, _ count: UInt32) -> UInt32 {
    word &>> count | word &<< (32 &- count)
  }

  private static let initialState = SIMD8<UInt32>(
    0x6A09_E667, 0xBB67_AE85, 0x3C6E_F372, 0xA54F_F53A, 0x510E_527F, 0x9B05_688C, 0x1F83_D9AB,
    0x5BE0_CD19)

  /// The first 32 bits of the fractions of the cube roots of the first 64 primes.
  private static let roundConstants: [UInt32] = [
    0x428A_2F98, 0x7137_4491, 0xB5C0_FBCF, 0xE9B5_DBA5, 0x3956_C25B, 0x59F1_11F1, 0x923F_82A4,
    0xAB1C_5ED5, 0xD807_AA98, 0x1283_5B01, 0x2431_85BE, 0x550C_7DC3, 0x72BE_5D74, 0x80DE_B1FE,
    0x9BDC_06A7, 0xC19B_F174, 0xE49B_69C1, 0xEFBE_4786, 0x0FC1_9DC6, 0x240C_A1CC, 0x2DE9_2C6F,
    0x4A74_84AA, 0x5CB0_A9DC, 0x76F9_88DA, 0x983E_5152, 0xA831_C66D, 0xB003_27C8, 0xBF59_7FC7,
    0xC6E0_0BF3, 0xD5A7_9147, 0x06CA_6351, 0x1429_2967, 0x27B7_0A85, 0x2E1B_2138, 0x4D2C_6DFC,
    0x5338_0D13, 0x650A_7354, 0x766A_0ABB, 0x81C2_C92E, 0x9272_2C85, 0xA2BF_E8A1, 0xA81A_664B,
    0xC24B_8B70, 0xC76C_51A3, 0xD192_E819, 0xD699_0624, 0xF40E_3585, 0x106A_A070, 0x19A4_C116,
    0x1E37_6C08, 0x2748_774C, 0x34B0_BCB5, 0x391C_0CB3, 0x4ED8_AA4A, 0x5B9C_CA4F, 0x682E_6FF3,
    0x748F_82EE, 0x78A5_636F, 0x84C8_7814, 0x8CC7_0208, 0x90BE_FFFA, 0xA450_6CEB, 0xBEF9_A3F7,
    0xC671_78F2,
  ]
}

extension FileSystem {
  /// Returns the SHA-256 digest of a file in 64 hexadecimal digits, as tools print it.
  package static func sha256(of path: String) throws(FileError) -> String {
    let file = try OpenFile(reading: path, waiting: false)
    var hash = SHA256()
    var buffer = [UInt8](repeating: 0, count: 1 << 20)
    while true {
      let result = buffer.withUnsafeMutableBytes { buffer in
        Result { () throws(FileError) in
          let count = try file.read(into: buffer)
          hash.update(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
          return count
        }
      }
      if try result.get() == 0 { break }
    }
    return hash.finalized().hexadecimal
  }
}

extension [UInt8] {
  /// The bytes as hexadecimal digits, as `sha256sum` prints them.
  package var hexadecimal: String {
    let digits = Array<UInt8>("0123456789abcdef".utf8)
    return String(
      decoding: flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }

  /// Converts hexadecimal digits to bytes; `nil` for any other text.
  package init?(hexadecimal text: String) {
    let digits = text.utf8.map { Character(UnicodeScalar($0)).hexDigitValue }
    guard digits.count.isMultiple(of: 2), !digits.contains(nil) else { return nil }
    self = stride(from: 0, to: digits.count, by: 2).map { index in
      let (high, low): (Int, Int) = (digits[index] ?? 0, digits[index + 1] ?? 0)
      return UInt8(high * 16 + low)
    }
  }
}
