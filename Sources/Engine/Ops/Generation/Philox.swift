/// The counter-based random generator Philox 4×32 with 10 rounds.
///
/// Salmon et al., "Parallel random numbers: as easy as 1, 2, 3" (2011).
package enum Philox {
  /// Returns four random numbers for a counter.
  package static func block(key: SIMD2<UInt32>, counter: SIMD4<UInt32>) -> SIMD4<UInt32> {
    var (key, counter) = (key, counter)
    for _ in 0..<10 {
      let first = counter[0].multipliedFullWidth(by: 0xD251_1F53)
      let second = counter[2].multipliedFullWidth(by: 0xCD9E_8D57)
      counter = [
        second.high ^ counter[1] ^ key[0], second.low, first.high ^ counter[3] ^ key[1], first.low,
      ]
      key &+= [0x9E37_79B9, 0xBB67_AE85]
    }
    return counter
  }
}

/// The counter-based random generator Threefry 2×32 with 20 rounds, from the same paper.
package enum Threefry {
  private static let rotations: [[UInt32]] = [[13, 15, 26, 6], [17, 29, 16, 24]]

  /// Returns two random numbers for a counter.
  package static func block(key: SIMD2<UInt32>, counter: SIMD2<UInt32>) -> SIMD2<UInt32> {
    let keys = [key[0], key[1], key[0] ^ key[1] ^ 0x1BD1_1BDA]
    var counter = counter &+ key
    for round in 0..<5 {
      for rotation in rotations[round % 2] {
        counter[0] &+= counter[1]
        counter[1] = (counter[1] << rotation | counter[1] >> (32 - rotation)) ^ counter[0]
      }
      counter[0] &+= keys[(round + 1) % 3]
      counter[1] &+= keys[(round + 2) % 3] &+ UInt32(round + 1)
    }
    return counter
  }
}
