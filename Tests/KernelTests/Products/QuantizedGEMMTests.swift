import OcellusKernelABI
import OcellusKernelDispatch
import OcellusTestSupport
import Testing

/// The quantized matrix product against the formula of the quantization specification, term by
/// term in 64 bits.
@Suite struct QuantizedGEMMTests {
  /// One product: operands and formats, drawn from a seed.
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
      let inputIsSigned = Bool.random(using: &random), filterIsSigned = Bool.random(using: &random)
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

    /// Runs a table's kernel, in blocks of `rowBlock` rows and `panels` panels.
    func run<Output: BitwiseCopyable & ExpressibleByIntegerLiteral>(
      _ gemm: QuantizedGEMM, _ requantization: SumScaling, as: Output.Type,
      rowBlock: Int = .max, panelBlock: Int = .max, packsLines: Bool = true,
      sharesWeights: Bool = false
    ) -> [Output] {
      let runs = packsLines ? geometry.runs : 1
      let input = GuardedMemory(inputBytes), filter = GuardedMemory(filterBytes)
      let bias = GuardedMemory(self.bias)
      let sharedCount = gemm.sharedWeights.byteCount(columns, geometry.depth)
      let shared = GuardedMemory<UInt8>(count: sharedCount, filledWith: 0xAA)
      let areShared = sharesWeights && sharedCount > 0
      let packedCount =
        areShared
        ? gemm.sharedWeights.byteCountBeside(columns)
        : gemm.packedByteCountOfRuns(columns, geometry.depth, runs)
      let packed = GuardedMemory<UInt8>(count: packedCount, filledWith: 0xAA)
      var packing = QuantizedPackingArguments(
        filter: filter.start, filterFormat: self.filter, inputFormat: self.input,
        bias: nil, requantization: .sums, columns: columns, depth: geometry.depth, runs: runs,
        isForFewRows: rows <= gemm.fewRows && geometry.isPointwise, packed: shared.start)
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
          ProductBlock(
            patches: geometry, input: input.start, packed: packed.start, output: output.start,
            outputStride: columns, rows: $0, columns: $1,
            finish: QuantizedFinish(inputFormat: self.input, range: range),
            scratch: scratch.start))
      }
      return output.elements
    }

    func checkAll(_ table: KernelTable, _ what: String) {
      let gemm = table.quantizedGEMM
      #expect(run(gemm, .sums, as: Int32.self) == sums(), "\(what) sums on \(table.name)")
      multipliers.withUnsafeBufferPointer { multipliers in
        shifts.withUnsafeBufferPointer { shifts in
          guard let multipliers = multipliers.baseAddress, let shifts = shifts.baseAddress else {
            return
          }
          let got = run(gemm, .fixedPoint(multipliers: multipliers, shifts: shifts), as: UInt8.self)
          #expect(got == requantized(), "\(what) fixed point on \(table.name)")
          let gathered = run(
            gemm, .fixedPoint(multipliers: multipliers, shifts: shifts), as: UInt8.self,
            rowBlock: 7, packsLines: false)
          #expect(gathered == requantized(), "\(what) gathered on \(table.name)")
          guard rows <= gemm.fewRows && geometry.isPointwise else { return }
          // Blocks that begin and end within the panels whose weights lie side by side, too.
          for panels in [1, 3, .max] {
            let beside = run(
              gemm, .fixedPoint(multipliers: multipliers, shifts: shifts), as: UInt8.self,
              panelBlock: panels, sharesWeights: true)
            #expect(
              beside == requantized(),
              "\(what) beside shared weights on \(table.name), \(panels) panels")
          }
        }
      }
      factors.withUnsafeBufferPointer { factors in
        guard let factors = factors.baseAddress else { return }
        #expect(
          run(gemm, .real(multipliers: factors), as: UInt8.self) == realScaled(),
          "\(what) real on \(table.name)")
        guard rows <= gemm.fewRows && geometry.isPointwise else { return }
        #expect(
          run(gemm, .real(multipliers: factors), as: UInt8.self, sharesWeights: true)
            == realScaled(), "\(what) real, beside shared weights on \(table.name)")
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

  /// Tiles of many rows, and of pixels that take the lanes of few columns.
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

  /// One row, whose weights some instruction sets pack as bytes where those without their zero point are bytes.
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

  /// Rows that are read where they lie, eight or sixteen bytes at once, to the very end of the input; seeds
  /// draw signed and unsigned ones.
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

  /// Those of this machine, and of one that does not flip bits while it multiplies.
  private static let tablesOfAllMakers =
    tables
    + KernelChoice(features: CPUFeatures.current.subtracting(.sse4a), requested: nil).candidates
    .compactMap(\.table)

  /// Columns so long that their weights decide whether sums could leave 2²⁹: they do not, or do.
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
