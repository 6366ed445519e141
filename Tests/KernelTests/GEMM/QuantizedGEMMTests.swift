import OcellusKernelABI
import OcellusKernelDispatch
import OcellusPlatform
import OcellusTestSupport
import Testing

/// Quantized GEMMs, checked against the formula of the quantization specification, term by term in
/// 64 bits.
@Suite struct QuantizedGEMMTests {
  /// One GEMM, with operands and formats drawn from a seed.
  struct Problem {
    var geometry: PatchGeometry
    var images = 1
    var columns: Int
    var input: QuantizedFormat
    var filter: QuantizedFormat
    var range: QuantizedRange
    var inputBytes: [UInt8]
    var filterBytes: [UInt8]
    var bias: [Int32]
    var multipliers: [Int32]
    var shifts: [Int32]
    var factors: [Double]
    var rows: Int { images * geometry.outputHeight * geometry.outputWidth }

    init(
      _ geometry: PatchGeometry, images: Int = 1, columns: Int, seed: UInt64,
      shifts: ClosedRange<Int32> = -12 ... -3
    ) {
      var random = SeededGenerator(seed: seed)
      self.geometry = geometry
      self.images = images
      self.columns = columns
      let inputIsSigned = Bool.random(using: &random)
      let filterIsSigned = Bool.random(using: &random)
      input = QuantizedFormat(
        isSigned: inputIsSigned,
        zeroPoint: .random(in: inputIsSigned ? -128...127 : 0...255, using: &random))
      filter = QuantizedFormat(
        isSigned: filterIsSigned,
        zeroPoint: filterIsSigned ? 0 : .random(in: 0...255, using: &random))
      let low = Int32.random(in: inputIsSigned ? -128 ... -100 : 0...20, using: &random)
      range = QuantizedRange(
        zeroPoint: Bool.random(using: &random) ? low : inputIsSigned ? -3 : 121, minimum: low,
        maximum: inputIsSigned ? 127 : 255)
      inputBytes = random.bytes(
        images * geometry.inputHeight * geometry.inputWidth * geometry.pixelStride,
        isSigned: inputIsSigned)
      filterBytes = random.bytes(columns * geometry.depth, isSigned: filterIsSigned)
      bias = (0..<columns).map { _ in .random(in: -30_000...30_000, using: &random) }
      multipliers = (0..<columns).map { _ in .random(in: 1 << 30 ... .max, using: &random) }
      self.shifts = (0..<columns).map { _ in .random(in: shifts, using: &random) }
      factors = (0..<columns).map { _ in .random(in: 0.0001...0.01, using: &random) }
    }

    func value(_ byte: UInt8, _ format: QuantizedFormat) -> Int64 {
      (format.isSigned ? Int64(Int8(bitPattern: byte)) : Int64(byte)) - Int64(format.zeroPoint)
    }

    func sums() -> [Int32] {
      var sums: [Int32] = []
      for row in 0..<rows {
        let taps = geometry.taps(of: row)
        for column in 0..<columns {
          var sum = Int64(bias[column])
          for (tap, place) in taps.enumerated() {
            guard let place else { continue }
            for channel in 0..<geometry.channels {
              let weight = column * geometry.depth + tap * geometry.channels + channel
              sum += value(inputBytes[place + channel], input) * value(filterBytes[weight], filter)
            }
          }
          sums.append(Int32(truncatingIfNeeded: sum))
        }
      }
      return sums
    }

    func clamped(_ scaled: Int64) -> UInt8 {
      UInt8(
        truncatingIfNeeded: min(
          max(scaled + Int64(range.zeroPoint), Int64(range.minimum)), Int64(range.maximum)))
    }

    func requantized() -> [UInt8] {
      sums().enumerated().map { index, sum in
        let column = index % columns
        return clamped(
          Int64(
            OfficialRounding.scale(sum, multiplier: multipliers[column], shift: shifts[column])))
      }
    }

    func realScaled() -> [UInt8] {
      sums().enumerated().map { index, sum in
        clamped(Int64((Double(sum) * factors[index % columns]).rounded(.toNearestOrAwayFromZero)))
      }
    }

    func singleScaled() -> [UInt8] {
      sums().enumerated().map { index, sum in
        let factor = Float(factors[index % columns])
        let bounded = min(max(Float(sum) * factor, -0x1p30), 0x1p30)
        return clamped(Int64(bounded.rounded(.toNearestOrEven)))
      }
    }

    /// The problem as strategies see it.
    func seen(_ results: GEMMProblem.Results) -> GEMMProblem {
      GEMMProblem(
        geometry, rows: rows, columns: columns, rowBytes: input.rowBytes, filter: filter,
        results: results)
    }

    /// Runs a kernel in blocks of `rowBlock` rows and `panelBlock` panels.
    func run<Output: BitwiseCopyable & ExpressibleByIntegerLiteral>(
      _ gemm: QuantizedGEMM, _ requantization: SumScaling, as: Output.Type,
      rowBlock: Int = .max, panelBlock: Int = .max, sharesWeights: Bool = false
    ) -> [Output] {
      let input = GuardedMemory(inputBytes)
      let filter = GuardedMemory(filterBytes)
      let bias = GuardedMemory(self.bias)
      let sharedCount = gemm.sharedWeights.byteCount(columns, geometry.depth)
      let shared = GuardedMemory<UInt8>(count: sharedCount, filledWith: 0xAA)
      let areShared = sharesWeights && sharedCount > 0
      let packedCount =
        areShared
        ? gemm.sharedWeights.unsharedByteCount(columns) : gemm.packedByteCount(columns, geometry)
      let packed = GuardedMemory<UInt8>(count: packedCount, filledWith: 0xAA)
      var packing = QuantizedPackingArguments(
        filter: filter.start, filterFormat: self.filter, inputFormat: self.input,
        bias: nil, requantization: .sums, columns: columns, patches: geometry,
        packed: shared.start)
      if areShared {
        gemm.sharedWeights.pack(packing)
        packing.sharedWeights = UnsafeRawPointer(shared.start)
      }
      (packing.bias, packing.requantization) = (UnsafePointer(bias.start), requantization)
      packing.packed = UnsafeMutableRawPointer(packed.start)
      gemm.pack(packing)
      let scratch = GuardedMemory<UInt8>(count: gemm.scratchByteCount(geometry), filledWith: 0xAA)
      let output = GuardedMemory<Output>(count: rows * columns, filledWith: 0)
      forEachBlock(
        rows: rows, columns: columns, rowBlock,
        panelBlock == .max ? columns : panelBlock * gemm.panelColumns
      ) {
        gemm.run(
          GEMMBlock(
            patches: geometry, input: input.start, packed: packed.start, output: output.start,
            outputStride: columns, rows: $0, columns: $1,
            epilogue: QuantizedEpilogue(inputFormat: self.input, range: range),
            scratch: scratch.start))
      }
      return output.elements
    }

    /// Checks every strategy that accepts the problem, or only one, with every kind of scaling.
    func checkAll(_ table: KernelTable, only name: String? = nil, _ what: String) {
      let multipliers = GuardedMemory(self.multipliers)
      let shifts = GuardedMemory(self.shifts)
      let factors = GuardedMemory(self.factors)
      let fixed = SumScaling.fixedPoint(multipliers: multipliers.start, shifts: shifts.start)
      check(table, name, .sums, .sums, sums(), what)
      check(table, name, .bytes, fixed, requantized(), what)
      check(
        table, name, .bytesOfRealScales, .real(multipliers: factors.start), realScaled(), what)
      let singles = GuardedMemory(self.factors.map { Float($0) })
      check(
        table, name, .bytesOfRealScales, .single(multipliers: singles.start), singleScaled(), what)
    }

    private func check<Output: BitwiseCopyable & ExpressibleByIntegerLiteral & Equatable>(
      _ table: KernelTable, _ name: String?, _ results: GEMMProblem.Results,
      _ scaling: SumScaling, _ expected: [Output], _ what: String
    ) {
      for strategy in table.quantizedGEMM.accepting(seen(results))
      where name == nil || strategy.name == name {
        let what = "\(what): \(results), \(strategy.name) on \(table.name)"
        let kernel = strategy.kernel
        #expect(run(kernel, scaling, as: Output.self) == expected, "\(what)")
        // Kernels that compute whole image rows take blocks of whole image rows.
        let isOfLines = kernel.tileRows(geometry) % geometry.outputWidth == 0
        let rowBlock = isOfLines ? 3 * geometry.outputWidth : 7
        #expect(
          run(kernel, scaling, as: Output.self, rowBlock: rowBlock, panelBlock: 2) == expected,
          "\(what), \(rowBlock) rows at a time")
        guard kernel.sharedWeights.byteCount(columns, geometry.depth) > 0 else { continue }
        // Some blocks begin or end within a group of interleaved panels.
        for panels in [1, 3, .max] {
          let beside = run(
            kernel, scaling, as: Output.self, panelBlock: panels, sharesWeights: true)
          #expect(beside == expected, "\(what), beside shared weights, \(panels) panels")
        }
      }
    }
  }

  @Test(arguments: tables.indices)
  func matricesOfAwkwardSizes(table: Int) {
    for (index, depth) in awkwardSizes.enumerated() {
      for (other, columns) in awkwardSizes.enumerated() {
        let seed = UInt64(index * 100 + other)
        let rows = awkwardSizes[(index + other) % 17]
        Problem(PatchGeometry(matrixOf: rows, depth: depth), columns: columns, seed: seed)
          .checkAll(tables[table], "\(rows) × \(depth) × \(columns), seed \(seed)")
      }
    }
  }

  @Test(arguments: tables.indices)
  func convolutions(table: Int) {
    for (index, geometry) in convolutionGeometries.enumerated() {
      let columns = awkwardSizes[index % awkwardSizes.count]
      Problem(geometry, images: 1 + index % 2, columns: columns, seed: UInt64(index))
        .checkAll(tables[table], "\(geometry.description), \(columns) columns, seed \(index)")
    }
  }

  /// Tiles of many rows, and transposed tiles, in which lanes are pixels as columns are few.
  @Test(arguments: tables.indices)
  func manyRows(table: Int) {
    for (index, (rows, depth, columns)) in [
      (48, 64, 16), (61, 65, 13), (97, 144, 12), (130, 72, 24), (77, 20, 8), (50, 100, 70),
      (113, 7, 3),
    ].enumerated() {
      Problem(
        PatchGeometry(matrixOf: rows, depth: depth), columns: columns, seed: UInt64(index)
      ).checkAll(tables[table], "\(rows) × \(depth) × \(columns), seed \(index)")
    }
  }

  /// One row (GEMV), whose weights some instruction sets pack as bytes if weights minus their zero
  /// point fit into bytes.
  @Test(arguments: tables.indices)
  func onlyRows(table: Int) {
    for (depth, columns) in [(1, 40), (64, 16), (65, 13), (640, 33), (97, 71), (8448, 20)] {
      for seed in 0..<6 {
        var problem = Problem(
          PatchGeometry(matrixOf: 1, depth: depth), columns: columns, seed: UInt64(seed))
        if !problem.filter.isSigned && seed % 2 == 0 { problem.filter.zeroPoint = 128 }
        problem.checkAll(tables[table], "one row of \(depth) × \(columns), seed \(seed)")
      }
    }
  }

  /// Rows that are read in place, eight or sixteen bytes at once, up to the very end of the input;
  /// seeds draw signed and unsigned inputs.
  @Test(arguments: tablesOfAllMakers.indices)
  func manyRowsInPlace(table: Int) {
    for (rows, depth, columns) in [
      (48, 64, 16), (98, 68, 12), (99, 136, 20), (150, 72, 9), (97, 144, 7), (49, 76, 24),
      (59, 80, 25), (71, 200, 30), (64, 512, 32), (53, 104, 17), (143, 64, 40), (60, 96, 33),
      (61, 4096, 16), (17, 16_640, 20), (100, 144, 80), (196, 72, 36),
    ] {
      for seed in 0..<6 {
        Problem(
          PatchGeometry(matrixOf: rows, depth: depth), columns: columns, seed: UInt64(seed)
        ).checkAll(
          Self.tablesOfAllMakers[table], "\(rows) × \(depth) × \(columns), seed \(seed)")
      }
    }
  }

  /// The tables of this machine, and of one that does not toggle sign bits while it multiplies.
  private static let tablesOfAllMakers =
    tables
    + KernelChoice(features: CPUFeatures.current.subtracting(.sse4a), requested: nil).candidates
    .compactMap(\.table)

  /// Columns so long that their weights decide whether sums can exceed 2²⁹, which heavy weights do.
  @Test(arguments: tables.indices, [false, true])
  func longColumns(table: Int, isHeavy: Bool) {
    for seed in 0..<3 {
      var problem = Problem(
        PatchGeometry(matrixOf: 50, depth: 16_640), columns: 16, seed: UInt64(seed))
      if isHeavy {
        problem.filterBytes = problem.filterBytes.map {
          $0 < 3 ? $0 : problem.filter.isSigned ? 0x80 : 0xFF
        }
      }
      problem.checkAll(tables[table], "long columns, heavy: \(isHeavy), seed \(seed)")
    }
  }
}
