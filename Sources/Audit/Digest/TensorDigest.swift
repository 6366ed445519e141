/// A digest of a tensor's bytes that is made about as fast as they are read: to see where two runs
/// part, without being a proof against somebody who wants two tensors to have one digest.
///
/// The bytes are taken in stripes of 64, blocks of 16 stripes. Each of eight lanes adds up its words,
/// and the products of both halves of its words, which a key for the place in the block was mixed into;
/// behind every block the lanes are scrambled by steps that can be undone. So one changed bit always
/// changes the lanes. The digest is the SHA-256 of the lanes, of what is left behind the last stripe, and
/// of the number of bytes. Receipts have the SHA-256 of the bytes themselves instead.
public enum TensorDigest {
  private typealias Lanes = SIMD8<UInt64>
  private static let stripeSize = MemoryLayout<Lanes>.size
  private static let stripesOfBlock = 16
  private static let lowHalf = Lanes(repeating: 0xFFFF_FFFF)
  private static let odd = Lanes(repeating: 0x9E37_79B1_85EB_CA87)

  /// The digest of some bytes, 32 of them.
  public static func digest(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
    var sums = keys[0]
    var products = keys[1]
    let stripeCount = bytes.count / stripeSize
    if let base = bytes.baseAddress {
      keys.withUnsafeBufferPointer { keys in
        guard let keys = keys.baseAddress else { return }
        var stripe = 0
        while stripe < stripeCount {
          let end = min(stripe + stripesOfBlock, stripeCount)
          for position in 0..<end - stripe {
            let place = base + (stripe + position) * stripeSize
            let words = place.loadUnaligned(as: Lanes.self)
            let mixed = words ^ keys[position]
            sums &+= words
            products &+= (mixed & lowHalf) &* (mixed &>> 32)
          }
          sums = scrambled(sums, keys[stripesOfBlock])
          products = scrambled(products, keys[stripesOfBlock + 1])
          stripe = end
        }
      }
    }
    var hash = SHA256()
    withUnsafeBytes(of: sums) { hash.update($0) }
    withUnsafeBytes(of: products) { hash.update($0) }
    hash.update(UnsafeRawBufferPointer(rebasing: bytes[(stripeCount * stripeSize)...]))
    withUnsafeBytes(of: UInt64(bytes.count).littleEndian) { hash.update($0) }
    return hash.finalized()
  }

  /// Other lanes for any others.
  @inline(__always)
  private static func scrambled(_ lanes: Lanes, _ key: Lanes) -> Lanes {
    (lanes ^ (lanes &>> 47) ^ key) &* odd
  }

  /// Numbers without a pattern: SplitMix64 (Steele, Lea and Flood, 2014) from 0.
  private static let keys: [Lanes] = {
    var state: UInt64 = 0
    func next() -> UInt64 {
      state &+= 0x9E37_79B9_7F4A_7C15
      var bits = state
      bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
      bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
      return bits ^ (bits >> 31)
    }
    return (0..<stripesOfBlock + 2).map { _ in
      var key = Lanes()
      for lane in 0..<Lanes.scalarCount { key[lane] = next() }
      return key
    }
  }()
}
