/// The hash function SHA-256 (FIPS 180-4), of bytes that come piece by piece.
package struct SHA256 {
  private static let blockSize = 64
  /// The first 32 bits of the fractions of the cube roots of the first 64 primes.
  private static let constants: [UInt32] = primes(64).map { fraction(of: cbrt(Double($0))) }
  /// The first 32 bits of the fractions of the square roots of the first 8 primes.
  private var state: [UInt32] = primes(8).map { fraction(of: Double($0).squareRoot()) }
  /// The bytes of a block that is not complete.
  private var pending: [UInt8] = []
  private var byteCount = 0

  package init() {}

  /// The digest of these bytes.
  package static func digest(of bytes: UnsafeRawBufferPointer) -> [UInt8] {
    var hash = SHA256()
    hash.update(bytes)
    return hash.finished()
  }

  /// Takes more bytes.
  package mutating func update(_ bytes: UnsafeRawBufferPointer) {
    byteCount += bytes.count
    var rest = bytes[...]
    if !pending.isEmpty {
      let count = min(Self.blockSize - pending.count, rest.count)
      pending += rest.prefix(count)
      rest = rest.dropFirst(count)
      guard pending.count == Self.blockSize else { return }
      let block = pending
      block.withUnsafeBytes { mix($0) }
      pending.removeAll(keepingCapacity: true)
    }
    while rest.count >= Self.blockSize {
      mix(UnsafeRawBufferPointer(rebasing: rest.prefix(Self.blockSize)))
      rest = rest.dropFirst(Self.blockSize)
    }
    pending += rest
  }

  /// The digest of all bytes that came.
  package consuming func finished() -> [UInt8] {
    let bitCount = UInt64(byteCount) * 8
    // A one, and zeros up to where the number of bits fits the end of a block.
    let zeros = (2 * Self.blockSize - 9 - pending.count) % Self.blockSize
    var padding: [UInt8] = [0x80] + [UInt8](repeating: 0, count: zeros)
    withUnsafeBytes(of: bitCount.bigEndian) { padding += $0 }
    padding.withUnsafeBytes { update($0) }
    return state.flatMap { word in withUnsafeBytes(of: word.bigEndian) { Array($0) } }
  }

  private mutating func mix(_ block: UnsafeRawBufferPointer) {
    let state = withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 64) { words in
      for index in 0..<16 {
        words[index] = UInt32(
          bigEndian: block.loadUnaligned(fromByteOffset: 4 * index, as: UInt32.self))
      }
      for index in 16..<64 {
        let (a, b) = (words[index - 15], words[index - 2])
        let low = a.turned(7) ^ a.turned(18) ^ a >> 3
        let high = b.turned(17) ^ b.turned(19) ^ b >> 10
        words[index] = words[index - 16] &+ low &+ words[index - 7] &+ high
      }
      return rounds(of: words)
    }
    for index in 0..<8 { self.state[index] &+= state[index] }
  }

  private func rounds(of words: UnsafeMutableBufferPointer<UInt32>) -> [UInt32] {
    var (a, b, c, d) = (state[0], state[1], state[2], state[3])
    var (e, f, g, h) = (state[4], state[5], state[6], state[7])
    Self.constants.withUnsafeBufferPointer { constants in
      for index in 0..<64 {
        let choice = e & f ^ ~e & g
        let first =
          h &+ (e.turned(6) ^ e.turned(11) ^ e.turned(25)) &+ choice &+ constants[index]
          &+ words[index]
        let majority = a & b ^ a & c ^ b & c
        let second = (a.turned(2) ^ a.turned(13) ^ a.turned(22)) &+ majority
        (h, g, f, e) = (g, f, e, d &+ first)
        (d, c, b, a) = (c, b, a, first &+ second)
      }
    }
    return [a, b, c, d, e, f, g, h]
  }

  private static func primes(_ count: Int) -> [Int] {
    var primes: [Int] = []
    var candidate = 2
    while primes.count < count {
      if !primes.contains(where: { candidate % $0 == 0 }) { primes.append(candidate) }
      candidate += 1
    }
    return primes
  }

  private static func fraction(of number: Double) -> UInt32 {
    UInt32((number - number.rounded(.down)) * 0x1p32)
  }
}

extension UInt32 {
  /// The bits moved to the right, with those that fall out coming in on the left.
  fileprivate func turned(_ count: UInt32) -> UInt32 { self >> count | self << (32 - count) }
}

extension FileSystem {
  /// The SHA-256 digest of a file, as tools print it: 64 hexadecimal digits.
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
    return hash.finished().hexadecimal
  }
}

extension [UInt8] {
  /// Two digits for each byte.
  package var hexadecimal: String {
    map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}
