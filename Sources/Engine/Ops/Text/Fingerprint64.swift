/// The 64-bit fingerprint of FarmHash (`farmhashna::Hash64`), which is stable.
///
/// The constants and the order of steps define its values, with which the models of LSH_PROJECTION
/// were trained.
package struct Fingerprint64 {
  private static let k0: UInt64 = 0xc3a5_c85c_97cb_3127
  private static let k1: UInt64 = 0xb492_b66f_be98_f273
  private static let k2: UInt64 = 0x9ae1_6a3b_2f90_404f

  package let value: UInt64

  /// Computes the fingerprint, which is meaningless if `control` stops the run meanwhile.
  package init(_ bytes: UnsafeRawBufferPointer, _ control: RunControl? = nil) {
    value =
      switch bytes.count {
      case 0...16: Self.upTo16(bytes)
      case 17...32: Self.upTo32(bytes)
      case 33...64: Self.upTo64(bytes)
      default: Self.long(bytes, control)
      }
  }

  // MARK: Building blocks

  private static func word(_ bytes: UnsafeRawBufferPointer, _ offset: Int) -> UInt64 {
    UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }

  private static func halfWord(_ bytes: UnsafeRawBufferPointer, _ offset: Int) -> UInt64 {
    UInt64(UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)))
  }

  private static func rotate(_ value: UInt64, _ distance: UInt64) -> UInt64 {
    value >> distance | value << (64 - distance)
  }

  private static func fold(_ value: UInt64) -> UInt64 { value ^ (value >> 47) }

  private static func mix(_ a: UInt64, _ b: UInt64, _ multiplier: UInt64) -> UInt64 {
    let inner = fold((a ^ b) &* multiplier)
    return fold((b ^ inner) &* multiplier) &* multiplier
  }

  // MARK: Short texts

  private static func upTo16(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
    let length = UInt64(bytes.count)
    let multiplier = k2 &+ length &* 2
    if bytes.count >= 8 {
      let a = word(bytes, 0) &+ k2
      let b = word(bytes, bytes.count - 8)
      return mix(
        rotate(b, 37) &* multiplier &+ a, (rotate(a, 25) &+ b) &* multiplier, multiplier)
    }
    if bytes.count >= 4 {
      return mix(
        length &+ halfWord(bytes, 0) << 3, halfWord(bytes, bytes.count - 4), multiplier)
    }
    guard let first = bytes.first, let last = bytes.last else { return k2 }
    let y = UInt64(first) + UInt64(bytes[bytes.count / 2]) << 8
    let z = length + UInt64(last) << 2
    return fold(y &* k2 ^ z &* k0) &* k2
  }

  private static func upTo32(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
    let multiplier = k2 &+ UInt64(bytes.count) &* 2
    let a = word(bytes, 0) &* k1
    let b = word(bytes, 8)
    let c = word(bytes, bytes.count - 8) &* multiplier
    let d = word(bytes, bytes.count - 16) &* k2
    return mix(
      rotate(a &+ b, 43) &+ rotate(c, 30) &+ d, a &+ rotate(b &+ k2, 18) &+ c, multiplier)
  }

  private static func upTo64(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
    let multiplier = k2 &+ UInt64(bytes.count) &* 2
    let a = word(bytes, 0) &* k2
    let b = word(bytes, 8)
    let c = word(bytes, bytes.count - 8) &* multiplier
    let d = word(bytes, bytes.count - 16) &* k2
    let y = rotate(a &+ b, 43) &+ rotate(c, 30) &+ d
    let z = mix(y, a &+ rotate(b &+ k2, 18) &+ c, multiplier)
    let e = word(bytes, 16) &* multiplier
    let f = word(bytes, 24)
    let g = (y &+ word(bytes, bytes.count - 32)) &* multiplier
    let h = (z &+ word(bytes, bytes.count - 24)) &* multiplier
    return mix(
      rotate(e &+ f, 43) &+ rotate(g, 30) &+ h, e &+ rotate(f &+ a, 18) &+ g, multiplier)
  }

  // MARK: Long texts

  /// The state of the hash of a long text, which is read in blocks of 64 bytes.
  private struct State {
    var x = 81 &* k2
    var y = 81 &* k1 &+ 113
    var z = fold((81 &* k1 &+ 113) &* k2 &+ 113) &* k2
    var v: (UInt64, UInt64) = (0, 0)
    var w: (UInt64, UInt64) = (0, 0)

    mutating func read(
      _ bytes: UnsafeRawBufferPointer, at offset: Int, multiplier: UInt64, weight: UInt64
    ) {
      x = rotate(x &+ y &+ v.0 &+ word(bytes, offset + 8), 37) &* multiplier
      y = rotate(y &+ v.1 &+ word(bytes, offset + 48), 42) &* multiplier
      x ^= w.1 &* weight
      y &+= v.0 &* weight &+ word(bytes, offset + 40)
      z = rotate(z &+ w.0, 33) &* multiplier
      v = fuse(bytes, offset, v.1 &* multiplier, x &+ w.0)
      w = fuse(bytes, offset + 32, z &+ w.1, y &+ word(bytes, offset + 16))
      swap(&z, &x)
    }
  }

  /// Hashes 32 bytes into two seeds.
  private static func fuse(
    _ bytes: UnsafeRawBufferPointer, _ offset: Int, _ first: UInt64, _ second: UInt64
  ) -> (UInt64, UInt64) {
    let start = first &+ word(bytes, offset)
    let last = word(bytes, offset + 24)
    let rotated = rotate(second &+ start &+ last, 21)
    let sum = start &+ word(bytes, offset + 8) &+ word(bytes, offset + 16)
    return (sum &+ last, rotated &+ rotate(sum, 44) &+ start)
  }

  private static func long(_ bytes: UnsafeRawBufferPointer, _ control: RunControl?) -> UInt64 {
    var state = State()
    state.x &+= word(bytes, 0)
    let tail = (bytes.count - 1) / 64 * 64
    for chunk in StoppableChunks(of: tail / 64, workOfEach: 8, control) {
      for block in chunk { state.read(bytes, at: block * 64, multiplier: k1, weight: 1) }
    }
    // The last 64 bytes overlap the last whole block in most cases.
    let multiplier = k1 &+ (state.z & 0xFF) << 1
    state.w.0 &+= UInt64(bytes.count - 1) & 63
    state.v.0 &+= state.w.0
    state.w.0 &+= state.v.0
    state.read(bytes, at: bytes.count - 64, multiplier: multiplier, weight: 9)
    return mix(
      mix(state.v.0, state.w.0, multiplier) &+ fold(state.y) &* k0 &+ state.z,
      mix(state.v.1, state.w.1, multiplier) &+ state.x, multiplier)
  }
}
