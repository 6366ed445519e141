import OcellusKernelABI
import OcellusKernelDispatch
import OcellusPlatform
import OcellusTestSupport
import Testing

/// The scaling of single sums: a GEMM of zeros has its bias as the sum, so that every 32-bit number
/// can pass through a kernel.
@Suite struct RequantizationTests {
  /// Sums at which rounding or 32-bit arithmetic might go wrong.
  static let edges: [Int32] = {
    var edges: [Int32] = [0, 1, -1, 2, -2, .max, .min, .max - 1, .min + 1]
    for power in 1...30 {
      for offset: Int32 in [-1, 0, 1] {
        edges.append((1 << power) + offset)
        edges.append(-(1 << power) + offset)
      }
    }
    return edges
  }()

  static let multipliers: [Int32] = [
    0, 1, 1 << 30, (1 << 30) + 1, 1_234_567_890, 1_610_612_736, .max - 1, .max,
  ]

  /// Scales `sums` by every strategy that accepts such a GEMM, and expects the same results.
  private func scale(
    _ sums: [Int32], _ table: KernelTable, _ requantization: SumScaling, _ range: QuantizedRange
  ) -> [UInt8] {
    let isReal =
      switch requantization {
      case .real, .single: true
      default: false
      }
    let problem = GEMMProblem(
      PatchGeometry(matrixOf: 1, depth: 1), rows: 1, columns: sums.count, rowBytes: .signed,
      results: isReal ? .bytesOfRealScales : .bytes)
    let results = table.quantizedGEMM.accepting(problem).map {
      scale(sums, $0.kernel, problem.patches, requantization, range)
    }
    #expect(results.allSatisfy { $0 == results[0] }, "strategies on \(table.name) differ")
    return results[0]
  }

  private func scale(
    _ sums: [Int32], _ gemm: QuantizedGEMM, _ geometry: PatchGeometry, _ requantization: SumScaling,
    _ range: QuantizedRange
  ) -> [UInt8] {
    let bias = GuardedMemory(sums)
    let input = GuardedMemory<UInt8>(count: 1, filledWith: 0)
    let filter = GuardedMemory<UInt8>(count: sums.count, filledWith: 0)
    let format = QuantizedFormat(isSigned: true, zeroPoint: 0)
    let packed = GuardedMemory<UInt8>(
      count: gemm.packedByteCount(sums.count, geometry), filledWith: 0xFF)
    gemm.pack(
      QuantizedPackingArguments(
        filter: filter.start, filterFormat: format,
        inputFormat: format, bias: bias.start, requantization: requantization,
        columns: sums.count, patches: geometry, packed: packed.start))
    let scratch = GuardedMemory<UInt8>(count: gemm.scratchByteCount(geometry), filledWith: 0xFF)
    let output = GuardedMemory<UInt8>(count: sums.count, filledWith: 0)
    gemm.run(
      GEMMBlock(
        patches: geometry, input: input.start, packed: packed.start, output: output.start,
        outputStride: sums.count, rows: 0..<1, columns: 0..<sums.count,
        epilogue: QuantizedEpilogue(inputFormat: format, range: range), scratch: scratch.start))
    return output.elements
  }

  /// A byte shows only a small range of the results, which the zero point moves.
  @Test(arguments: tables.indices)
  func fixedPointOfEveryShift(table: Int) {
    var random = SeededGenerator(seed: 7)
    let sums = Self.edges + (0..<200).map { _ in Int32.random(in: .min ... .max, using: &random) }
    for shift: Int32 in -31...8 {
      for multiplier in Self.multipliers {
        let scaled = sums.map { OfficialRounding.scale($0, multiplier: multiplier, shift: shift) }
        let multipliers = GuardedMemory(sums.map { _ in multiplier })
        let shifts = GuardedMemory(sums.map { _ in shift })
        let fixed = SumScaling.fixedPoint(
          multipliers: multipliers.start, shifts: shifts.start)
        for center in [scaled[5], scaled[20], scaled[99], scaled[180], 0] {
          let zeroPoint = 0 &- center
          let got = scale(
            sums, tables[table], fixed,
            QuantizedRange(zeroPoint: zeroPoint, minimum: -128, maximum: 127))
          let want = scaled.map {
            UInt8(truncatingIfNeeded: min(max($0 &+ zeroPoint, -128), 127))
          }
          #expect(got == want, "shift \(shift), multiplier \(multiplier), around \(center)")
        }
      }
    }
  }

  /// Bounded sums and right shifts, which kernels may scale faster, with all results that a byte
  /// can hold and more.
  @Test(arguments: tables.indices)
  func fixedPointOfBoundedSums(table: Int) {
    var random = SeededGenerator(seed: 8)
    for shift: Int32 in -21 ... -1 {
      for multiplier in Self.multipliers {
        let most: Int32 = 1 << 29
        let edges = Self.edges.filter { $0 >= -most && $0 <= most } + [most, -most, most - 1]
        let reach: Int32 = 300 << -shift
        let nearZero = (0..<300).map { _ in
          max(-most, min(most, Int32.random(in: -reach...reach, using: &random)))
        }
        // Sums at which the second rounding meets a tie.
        let halves = (-20...20).map { Int32($0) << max(-shift - 1, 0) }
        let sums = edges + nearZero + halves
        let multipliers = GuardedMemory(sums.map { _ in multiplier })
        let shifts = GuardedMemory(sums.map { _ in shift })
        for zeroPoint: Int32 in [-128, 0, 3, 127] {
          let got = scale(
            sums, tables[table],
            .fixedPoint(multipliers: multipliers.start, shifts: shifts.start),
            QuantizedRange(zeroPoint: zeroPoint, minimum: -128, maximum: 127))
          let want = sums.map { sum in
            let scaled = OfficialRounding.scale(sum, multiplier: multiplier, shift: shift)
            return UInt8(truncatingIfNeeded: min(max(scaled + zeroPoint, -128), 127))
          }
          #expect(got == want, "shift \(shift), multiplier \(multiplier), zero \(zeroPoint)")
        }
      }
    }
  }

  @Test(arguments: tables.indices)
  func realMultipliersRoundHalfAwayFromZero(table: Int) {
    // Halves and their neighbours: adding 0.5 and truncating would get the largest double below
    // one half wrong.
    let cases: [(sum: Int32, factor: Double, want: Int8)] = [
      (1, 0.5, 1), (-1, 0.5, -1), (3, 0.5, 2), (-3, 0.5, -2), (5, 0.5, 3), (-5, 0.5, -3),
      (1, 0.49999999999999994, 0), (-1, 0.49999999999999994, 0), (7, 1, 7), (-7, 1, -7),
      (.max, 1, 127), (.min, 1, -128), (.max, 1e-9, 2), (.min, 1e-9, -2), (254, 0.5, 127),
      // Results that exceed 32 bits become the lowest number, as on x86.
      (.max, 1.5, -128), (.min, 1.5, -128), (1, .infinity, -128),
    ]
    let factors = GuardedMemory<Double>(count: cases.count, filledWith: 0)
    for (index, entry) in cases.enumerated() { factors.start[index] = entry.factor }
    let got = scale(
      cases.map(\.sum), tables[table], .real(multipliers: factors.start),
      QuantizedRange(zeroPoint: 0, minimum: -128, maximum: 127))
    #expect(got.map { Int8(bitPattern: $0) } == cases.map(\.want))
  }

  /// Single precision is tried first, so sums lie on both sides of every rounding boundary, within
  /// the range of bytes and beyond.
  @Test(arguments: tables.indices)
  func realMultipliersBesideHalves(table: Int) {
    var random = SeededGenerator(seed: 9)
    for zeroPoint: Int32 in [-128, 0, 127] {
      for _ in 0..<20 {
        let factor = exp2(Double.random(in: -24 ... -1, using: &random))
        let sums = (-270...270).flatMap { step -> [Int32] in
          let half = Int64(((Double(step) + 0.5) / factor).rounded())
          return (-1...1).map { Int32(clamping: half + $0) }
        }
        let factors = GuardedMemory<Double>(count: sums.count, filledWith: factor)
        let got = scale(
          sums, tables[table], .real(multipliers: factors.start),
          QuantizedRange(zeroPoint: zeroPoint, minimum: -128, maximum: 127))
        let want = sums.map { sum in
          let scaled = (Double(sum) * factor).rounded(.toNearestOrAwayFromZero)
          return UInt8(truncatingIfNeeded: min(max(Int(scaled) + Int(zeroPoint), -128), 127))
        }
        #expect(got == want, "\(factor), zero point \(zeroPoint)")
      }
    }
  }

  /// XNNPACK's scaling: the sum and the product are rounded to single precision, ties to even.
  @Test(arguments: tables.indices)
  func singleMultipliersRoundTiesToEven(table: Int) {
    let cases: [(sum: Int32, factor: Float, want: Int8)] = [
      (1, 0.5, 0), (3, 0.5, 2), (5, 0.5, 2), (-1, 0.5, 0), (-3, 0.5, -2), (-5, 0.5, -2),
      (7, 1, 7), (-7, 1, -7), (.max, 1, 127), (.min, 1, -128), (.max, 255, 127),
      (.min, 255, -128), (16_777_217, 0x1p-24, 1), (25, 0.1, 2), (1, 0.49999997, 0),
    ]
    let factors = GuardedMemory<Float>(count: cases.count, filledWith: 0)
    for (index, entry) in cases.enumerated() { factors.start[index] = entry.factor }
    let got = scale(
      cases.map(\.sum), tables[table], .single(multipliers: factors.start),
      QuantizedRange(zeroPoint: 0, minimum: -128, maximum: 127))
    #expect(got.map { Int8(bitPattern: $0) } == cases.map(\.want))
  }

  @Test(arguments: tables.indices)
  func singleMultipliersBesideHalves(table: Int) {
    var random = SeededGenerator(seed: 11)
    for zeroPoint: Int32 in [-128, 0, 127] {
      for _ in 0..<20 {
        let factor = exp2(Float.random(in: -24 ... -1, using: &random))
        let sums = (-270...270).flatMap { step -> [Int32] in
          let half = Int64(((Double(step) + 0.5) / Double(factor)).rounded())
          return (-1...1).map { Int32(clamping: half + $0) }
        }
        let factors = GuardedMemory<Float>(count: sums.count, filledWith: factor)
        let got = scale(
          sums, tables[table], .single(multipliers: factors.start),
          QuantizedRange(zeroPoint: zeroPoint, minimum: -128, maximum: 127))
        let want = sums.map { sum in
          let scaled = (Float(sum) * factor).rounded(.toNearestOrEven)
          return UInt8(truncatingIfNeeded: min(max(Int(scaled) + Int(zeroPoint), -128), 127))
        }
        #expect(got == want, "\(factor), zero point \(zeroPoint)")
      }
    }
  }
}
