import OcellusAudit

/// The deterministic inputs of a model for which nobody gave any: a random stream whose seed is the
/// position of the input, so that every engine can make the same ones.
struct FillStream {
  private var generator: SplitMix64

  /// The stream of one input.
  init(input: Int) {
    generator = SplitMix64(seed: UInt64(truncatingIfNeeded: input))
  }

  /// The bytes of the next numbers: fractions from 0 to 1 in steps of 2^-24 for floating-point formats,
  /// 0 or 1 for wide integers, which are often indices or lengths, and any value for narrow ones.
  mutating func bytes(of format: NumberFormat, count: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count * format.size)
    for _ in 0..<count {
      let bits = generator.next()
      switch format {
      case .bool, .int32, .int64, .uint32, .uint64:
        bytes.append(UInt8(bits & 1))
        for _ in 1..<format.size { bytes.append(0) }
      case .int8, .uint8, .int16, .uint16:
        for byte in 0..<format.size { bytes.append(UInt8(truncatingIfNeeded: bits >> (8 * byte))) }
      case .float16, .bfloat16, .float32, .float64:
        format.append(Double(bits >> 40) / 0x1p24, to: &bytes)
      }
    }
    return bytes
  }
}
