import OcellusKernelABI

// Exact sums of products with 16-bit inputs become 16-bit integers by a multiplier per column. The
// head of a packed panel holds the biases of the even and then of the odd lanes as 64-bit integers,
// followed by the multipliers.

/// The layout of the headers of packed 16-bit weights.
enum Int16Panel {
  /// The size of the header before all panels.
  static var headerBytes: Int { 64 }
  /// The size of a panel's head: the biases, and at most two vectors of doubles or four of 32-bit
  /// integers.
  static var headBytes: Int { 6 * sumVectorBytes }

  /// Writes the bias and the multiplier of one column.
  static func packHead(
    _ requantization: Int16SumScaling, bias: UnsafePointer<Int64>?, column: Int, lane: Int,
    to panel: UnsafeMutableRawPointer
  ) {
    if let bias {
      store(bias[column], to: panel + (lane % 2 &* sumVectorBytes &+ lane / 2 &* 8))
    }
    packScale(requantization, column, lane, to: panel + 2 &* sumVectorBytes)
  }

  private static func packScale(
    _ requantization: Int16SumScaling, _ column: Int, _ lane: Int,
    to scales: UnsafeMutableRawPointer
  ) {
    switch requantization {
    case .sums64(let multipliers, let rightShifts):
      store(multipliers[column], to: scales + lane &* 4)
      store(rightShifts[column], to: scales + (sumVectorBytes &+ lane &* 4))
    case .sums32(let multipliers, let shifts):
      packScales(
        .fixedPoint(multipliers: multipliers, shifts: shifts), column: column, width: 1,
        to: scales + lane &* 4)
    case .real(let multipliers), .sums32Real(let multipliers):
      store(multipliers[column], to: scales + lane &* 8)
    }
  }
}

/// The cases of `Int16SumScaling`, as packed weights store them.
enum Int16Kind {
  static let sums64: Int32 = 0
  static let sums32: Int32 = 1
  static let real: Int32 = 2
  static let sums32Real: Int32 = 3

  static func of(_ requantization: Int16SumScaling) -> Int32 {
    switch requantization {
    case .sums64: sums64
    case .sums32: sums32
    case .real: real
    case .sums32Real: sums32Real
    }
  }
}

/// The header before all panels.
struct Int16Header {
  var kind: Int32
  /// The number of steps of a segment, whose products can be summed in 32 bits.
  var segment: Int

  @inline(__always)
  init(_ packed: UnsafeRawPointer) {
    kind = loadInt32(packed)
    segment = Int(loadInt32(packed + 4))
  }

  init(kind: Int32, segment: Int) {
    self.kind = kind
    self.segment = segment
  }

  func write(to packed: UnsafeMutableRawPointer) {
    store(kind, to: packed)
    store(Int32(truncatingIfNeeded: segment), to: packed + 4)
  }
}

/// The sums of a tile in 64 bits.
struct Int64SumTile {
  /// The 32-bit sums of one segment of steps.
  var sums32: UnsafeMutableRawPointer
  /// The 64-bit sums: for each vector the even lanes, then the odd ones.
  var sums: UnsafeMutableRawPointer
  var rows: Int
  var vectors: Int
  /// The biases and multipliers.
  var panel: UnsafeRawPointer
  var panelStride: Int

  /// Adds the 32-bit sums of a segment to the bias, or to the 64-bit sums so far.
  ///
  /// A 32-bit sum of -2³¹ stands for 2³¹, which did not fit: 1 is subtracted in 32 bits, and added
  /// again in 64 bits.
  @inline(never)
  func add(isFirst: Bool) {
    let one = WideVector(repeating: 1)
    for row in 0..<rows {
      for vector in 0..<vectors {
        let index = row &* tileVectors &+ vector
        let lanes = loadSums(sums32 + index &* sumVectorBytes) &- SumVector(repeating: 1)
        let x = unsafeBitCast(lanes, to: WideVector.self)
        let target = sums + index &* 2 &* sumVectorBytes
        let start = isFirst ? panel + vector &* panelStride : UnsafeRawPointer(target)
        store(loadWide(start) &+ ((x &<< 32) &>> 32) &+ one, to: target)
        store(
          loadWide(start + sumVectorBytes) &+ (x &>> 32) &+ one, to: target + sumVectorBytes)
      }
    }
  }

  @inline(never)
  func scale(
    _ kind: Int32, range: QuantizedRange, to output: UnsafeMutableRawPointer, stride: Int,
    columns: Int
  ) {
    let low = SumVector(repeating: range.minimum), high = SumVector(repeating: range.maximum)
    for row in 0..<rows {
      for vector in 0..<vectors {
        let scales = panel + (vector &* panelStride &+ 2 &* sumVectorBytes)
        let index = row &* tileVectors &+ vector
        let scaled = scaled(sums + index &* 2 &* sumVectorBytes, kind, scales)
        let target = output + (row &* stride &+ vector &* SumVector.scalarCount &* 2)
        let left = columns &- vector &* SumVector.scalarCount
        let clamped = minimum(high, maximum(low, scaled))
        if left >= SumVector.scalarCount {
          storeInt16s(clamped, to: target)
        } else {
          storeInt16s(clamped, to: sums32)
          copyEnd(sums32, to: target, count: left &* 2)
        }
      }
    }
  }

  /// Returns the scaled lanes of one vector.
  @inline(__always)
  private func scaled(
    _ sums: UnsafeRawPointer, _ kind: Int32, _ scales: UnsafeRawPointer
  ) -> SumVector {
    let even = loadWide(sums), odd = loadWide(sums + sumVectorBytes)
    switch kind {
    case Int16Kind.sums64:
      let multiplier = unsafeBitCast(loadSums(scales), to: WideVector.self)
      let shift = unsafeBitCast(loadSums(scales + sumVectorBytes), to: WideVector.self)
      return merge(
        even: roundingShift(even &* ((multiplier &<< 32) &>> 32), (shift &<< 32) &>> 32),
        odd: roundingShift(odd &* (multiplier &>> 32), shift &>> 32) &<< 32)
    case Int16Kind.sums32:
      return FixedPointScale(scales, zeroPoint: SumVector())(merge(even: even, odd: odd &<< 32))
    default:
      return real(sums, has32BitSums: kind == Int16Kind.sums32Real, scales)
    }
  }

  @inline(__always)
  private func roundingShift(_ x: WideVector, _ shift: WideVector) -> WideVector {
    let one = WideVector(repeating: 1)
    // Zero where the shift is zero.
    let half = (one &<< shift) &>> one
    return (x &+ half) &>> shift
  }

  /// Scales one lane at a time: only fully connected layers round this way, and they have few
  /// outputs.
  @inline(__always)
  private func real(
    _ sums: UnsafeRawPointer, has32BitSums: Bool, _ scales: UnsafeRawPointer
  ) -> SumVector {
    var result = SumVector()
    for lane in 0..<SumVector.scalarCount {
      var sum = loadInt64(sums + (lane % 2 &* sumVectorBytes &+ lane / 2 &* 8))
      if has32BitSums { sum = (sum &<< 32) &>> 32 }
      let scaled = (Double(sum) * loadDouble(scales + lane &* 8))
        .rounded(.toNearestOrAwayFromZero)
      // Official kernels on x86 give this value where a result does not fit.
      result[lane] = scaled >= -0x1p31 && scaled < 0x1p31 ? Int32(scaled) : Int32.min
    }
    return result
  }
}
