import OcellusKernelABI
import OcellusKernelDispatch
import OcellusTestSupport
import Testing

/// 16-bit GEMMs, checked against 64-bit sums and the official fixed-point scaling.
@Suite struct Int16GEMMTests {
  @Test func windows() {
    for (seed, geometry) in convolutionGeometries.enumerated() {
      let rows = geometry.outputHeight * geometry.outputWidth
      Problem(geometry, rows: rows, columns: 19, seed: UInt64(seed)).check(geometry.description)
    }
  }

  @Test func matrices() {
    for (seed, (rows, depth, columns)) in [(1, 5, 3), (2, 16, 16), (7, 33, 17), (13, 64, 70)]
      .enumerated()
    {
      Problem(
        PatchGeometry(matrixOf: rows, depth: depth), rows: rows, columns: columns,
        seed: UInt64(seed)
      ).check("\(rows)×\(depth)×\(columns)")
    }
  }

  /// Sums of the largest products of one sign, of which 32 bits hold at most 511.
  @Test func sumsBeyond32Bits() {
    for depth in [509, 510, 511, 512, 513, 1021, 2049] {
      var problem = Problem(
        PatchGeometry(matrixOf: 2, depth: depth), rows: 2, columns: 5, seed: 1)
      problem.input = .init(repeating: .min, count: 2 * depth)
      problem.filter = .init(repeating: .min, count: 5 * depth)
      problem.check("\(depth) largest products")
    }
  }

  /// 16-bit weights from small ones to the largest, two of whose products already exceed 32 bits.
  @Test(arguments: [40, 4000, 8000, 16000, 32767, 32768])
  func wideWeights(largest: Int) {
    for (seed, (rows, depth, columns)) in [(1, 5, 3), (7, 33, 17), (13, 64, 70)].enumerated() {
      var problem = Problem(
        PatchGeometry(matrixOf: rows, depth: depth), rows: rows, columns: columns,
        seed: UInt64(seed))
      var random = SeededGenerator(seed: UInt64(largest))
      problem.wideFilter = (0..<columns * depth).map { _ in
        largest == 32768 ? .min : .random(in: Int16(-largest)...Int16(largest), using: &random)
      }
      if largest == 32768 { problem.input = .init(repeating: .min, count: rows * depth) }
      problem.check("\(rows)×\(depth)×\(columns), weights up to \(largest)")
    }
  }

  /// Operands drawn from a seed.
  struct Problem {
    var geometry: PatchGeometry
    var rows: Int
    var columns: Int
    var input: [Int16]
    var filter: [Int8]
    /// 16-bit weights, which replace those of `filter`.
    var wideFilter: [Int16]?
    var bias: [Int64]
    var multipliers: [Int32]
    var shifts: [Int32]
    var factors: [Double]

    init(_ geometry: PatchGeometry, rows: Int, columns: Int, seed: UInt64) {
      var random = SeededGenerator(seed: seed)
      self.geometry = geometry
      self.rows = rows
      self.columns = columns
      input = (0..<geometry.inputHeight * geometry.inputWidth * geometry.channels).map { _ in
        .random(in: .min ... .max, using: &random)
      }
      filter = (0..<columns * geometry.depth).map { _ in
        .random(in: .min ... .max, using: &random)
      }
      bias = (0..<columns).map { _ in .random(in: -1 << 33...1 << 33, using: &random) }
      multipliers = (0..<columns).map { _ in .random(in: 1 << 30 ... .max, using: &random) }
      shifts = (0..<columns).map { _ in .random(in: -12...0, using: &random) }
      factors = (0..<columns).map { _ in .random(in: 0.00001...0.01, using: &random) }
    }

    private var range: QuantizedRange {
      QuantizedRange(zeroPoint: 0, minimum: -32768, maximum: 32000)
    }

    private func sums() -> [Int64] {
      let filter = wideFilter ?? self.filter.map { Int16($0) }
      return (0..<rows).flatMap { row in
        let taps = geometry.taps(of: row)
        return (0..<columns).map { column in
          var sum = bias[column]
          for (tap, place) in taps.enumerated() {
            guard let place else { continue }
            for channel in 0..<geometry.channels {
              let weight = filter[column * geometry.depth + tap * geometry.channels + channel]
              sum += Int64(input[place + channel]) * Int64(weight)
            }
          }
          return sum
        }
      }
    }

    private func results(_ scale: (Int64, _ column: Int) -> Int32) -> [Int16] {
      sums().enumerated().map { index, sum in
        Int16(min(max(scale(sum, index % columns), range.minimum), range.maximum))
      }
    }

    private func rounded(_ sum: Double, _ column: Int) -> Int32 {
      Int32(exactly: (sum * factors[column]).rounded(.toNearestOrAwayFromZero)) ?? .min
    }

    func check(_ what: String) {
      let wide = GuardedMemory(multipliers.map(OfficialRounding.reduced))
      let narrow = GuardedMemory(multipliers)
      let rightShifts = GuardedMemory(shifts.map { 15 - $0 })
      let leftShifts = GuardedMemory(shifts)
      let factors = GuardedMemory(self.factors)
      let kinds: [(String, Int16SumScaling, [Int16])] = [
        (
          "wide", .sums64(multipliers: wide.start, rightShifts: rightShifts.start),
          results { OfficialRounding.scale($0, multiplier: multipliers[$1], shift: shifts[$1]) }
        ),
        (
          "narrow", .sums32(multipliers: narrow.start, shifts: leftShifts.start),
          results {
            OfficialRounding.scale(
              Int32(truncatingIfNeeded: $0), multiplier: multipliers[$1], shift: shifts[$1])
          }
        ),
        ("real", .real(multipliers: factors.start), results { rounded(Double($0), $1) }),
        (
          "narrow real", .sums32Real(multipliers: factors.start),
          results { rounded(Double(Int32(truncatingIfNeeded: $0)), $1) }
        ),
      ]
      for table in tables {
        for (name, requantization, want) in kinds {
          let isRight = run(table.int16GEMM, requantization) == want
          #expect(isRight, "\(what), \(name), on \(table.name)")
        }
      }
    }

    private func run(_ kernel: Int16GEMM, _ requantization: Int16SumScaling) -> [Int16] {
      let input = GuardedMemory(self.input)
      let filter = GuardedMemory(self.filter)
      let wideFilter = GuardedMemory(self.wideFilter ?? [0])
      let has16BitWeights = self.wideFilter != nil
      let bias = GuardedMemory(self.bias)
      let packed = GuardedMemory<UInt8>(
        count: kernel.packedByteCount(columns, geometry.depth), filledWith: 0xAA)
      kernel.pack(
        Int16PackingArguments(
          filter: has16BitWeights
            ? UnsafeRawPointer(wideFilter.start) : UnsafeRawPointer(filter.start),
          has16BitWeights: has16BitWeights, bias: bias.start, requantization: requantization,
          columns: columns,
          depth: geometry.depth, packed: packed.start))
      let scratch = GuardedMemory<UInt8>(
        count: kernel.scratchByteCount(geometry), filledWith: 0xAA)
      let output = GuardedMemory<Int16>(count: rows * columns, filledWith: 0)
      kernel.run(
        GEMMBlock(
          patches: geometry, input: input.start, packed: packed.start, output: output.start,
          outputStride: columns, rows: 0..<rows, columns: 0..<columns, epilogue: range,
          scratch: scratch.start))
      return output.elements
    }
  }
}
