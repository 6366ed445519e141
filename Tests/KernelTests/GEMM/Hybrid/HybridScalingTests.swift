import OcellusKernelABI
import OcellusKernelDispatch
import OcellusTestSupport
import Testing

/// Quantized floats times quantized weights, checked against the official kernels' formula: the
/// exact sum times the scales, in either order, plus the bias.
@Suite struct HybridScalingTests {
  @Test(arguments: [HybridOrder.scales, .sumAndColumn, .sumAndRowFused])
  func matricesOfRowsThatWereRoundedByThemselves(order: HybridOrder) {
    for (seed, (rows, depth, columns)) in [(1, 5, 3), (2, 16, 16), (7, 33, 17), (13, 64, 70)]
      .enumerated()
    {
      let problem = Problem(
        PatchGeometry(matrixOf: rows, depth: depth), rows: rows, columns: columns, order: order,
        seed: UInt64(seed))
      for table in Self.kernels(for: order) {
        problem.check(table, roundingStride: 1, "\(rows)×\(depth)×\(columns) on \(table.name)")
      }
    }
  }

  /// Tiles have up to eight rows and four vectors; the last tiles may have fewer of either.
  @Test(arguments: 1...19) func rowsAndColumnsThatDoNotFillTheirTiles(rows: Int) {
    for columns in [1, 4, 7, 8, 12, 16, 20, 31, 32, 47, 64, 75] {
      let problem = Problem(
        PatchGeometry(matrixOf: rows, depth: 13), rows: rows, columns: columns, order: .scales,
        seed: UInt64(rows * 100 + columns))
      for (table, stride) in tables.flatMap({ [($0, 0), ($0, 1)] }) {
        problem.check(
          table, roundingStride: stride,
          "\(rows)×\(columns) on \(table.name), every \(stride) rounded by itself")
      }
    }
  }

  /// Tiles of many rows, which are read in place if their depth is a whole number of steps.
  @Test(arguments: [8, 12, 16, 17, 20, 24, 25, 40])
  func manyLongRows(columns: Int) {
    for (rows, depth) in [(48, 64), (50, 72), (61, 65), (97, 128), (49, 20)] {
      let problem = Problem(
        PatchGeometry(matrixOf: rows, depth: depth), rows: rows, columns: columns, order: .scales,
        seed: UInt64(rows * 100 + columns))
      for (table, stride) in tables.flatMap({ [($0, 0), ($0, 1)] }) {
        problem.check(
          table, roundingStride: stride,
          "\(rows)×\(depth)×\(columns) on \(table.name), every \(stride) rounded by itself")
      }
    }
  }

  @Test(arguments: [HybridOrder.scales, .sumAndColumn, .sumAndRowFused])
  func windowsWithPadding(order: HybridOrder) {
    for (seed, geometry) in convolutionGeometries.enumerated() {
      let rows = geometry.outputHeight * geometry.outputWidth
      let problem = Problem(geometry, rows: rows, columns: 19, order: order, seed: UInt64(seed))
      for table in Self.kernels(for: order) {
        problem.check(table, roundingStride: 0, "\(geometry.description) on \(table.name)")
        for strategy in table.quantizedDepthwise.accepting(geometry) {
          #expect(
            problem.depthwise(strategy.kernel) == problem.depthwiseResults(),
            "\(geometry.description), depthwise, \(strategy.name) on \(table.name)")
        }
      }
    }
  }

  /// Returns the kernels that can compute in an order: those of the baseline may lack fused
  /// multiply-adds.
  private static func kernels(for order: HybridOrder) -> [KernelTable] {
    tables.filter { order != .sumAndRowFused || $0.name != "baseline" }
  }

  /// Operands drawn from a seed.
  private struct Problem {
    var geometry: PatchGeometry
    var rows: Int
    var columns: Int
    var order: HybridOrder
    var input: [Int8]
    var filter: [Int8]
    var scales: [Float]
    var bias: [Float]
    var roundings: [RowQuantization]

    init(
      _ geometry: PatchGeometry, rows: Int, columns: Int, order: HybridOrder, seed: UInt64
    ) {
      var random = SeededGenerator(seed: seed)
      func bytes(_ count: Int) -> [Int8] {
        random.bytes(count, isSigned: true).map { Int8(bitPattern: $0) }
      }
      self.geometry = geometry
      self.rows = rows
      self.columns = columns
      self.order = order
      input = bytes(geometry.inputHeight * geometry.inputWidth * geometry.channels)
      filter = bytes(columns * geometry.depth)
      scales = random.floats(max(columns, geometry.channels))
      bias = random.floats(max(columns, geometry.channels))
      roundings = random.floats(rows).map {
        RowQuantization(scale: $0, zeroPoint: .random(in: -128...127, using: &random))
      }
    }

    private func result(_ sum: Int32, _ rounding: RowQuantization, _ column: Int) -> Float {
      let product =
        switch order {
        case .scales: Float(sum) * (scales[column] * rounding.scale)
        case .sumAndColumn: Float(sum) * scales[column] * rounding.scale
        case .sumAndRowFused: Float(sum) * rounding.scale
        }
      let result =
        order == .sumAndRowFused
        ? bias[column].addingProduct(product, scales[column]) : product + bias[column]
      return min(max(result, -900), 1000)
    }

    func results(roundingStride: Int) -> [Float] {
      (0..<rows).flatMap { row in
        let rounding = roundings[row * roundingStride]
        let taps = geometry.taps(of: row)
        return (0..<columns).map { column in
          var sum: Int32 = 0
          for (tap, place) in taps.enumerated() {
            guard let place else { continue }
            for channel in 0..<geometry.channels {
              let weight = filter[column * geometry.depth + tap * geometry.channels + channel]
              sum += (Int32(input[place + channel]) - rounding.zeroPoint) * Int32(weight)
            }
          }
          return result(sum, rounding, column)
        }
      }
    }

    func depthwiseResults() -> [Float] {
      (0..<rows).flatMap { row in
        let taps = geometry.taps(of: row)
        return (0..<geometry.channels).map { channel in
          var sum: Int32 = 0
          for (tap, place) in taps.enumerated() {
            guard let place else { continue }
            sum +=
              (Int32(input[place + channel]) - roundings[0].zeroPoint)
              * Int32(filter[tap * geometry.channels + channel])
          }
          return result(sum, roundings[0], channel)
        }
      }
    }

    private func format(_ zeroPoint: Int32) -> QuantizedFormat {
      QuantizedFormat(isSigned: true, zeroPoint: zeroPoint)
    }

    private func scaling(
      _ roundings: GuardedMemory<RowQuantization>, stride: Int
    ) -> HybridScaling {
      HybridScaling(
        rows: roundings.start, stride: stride, order: order, minimum: -900, maximum: 1000)
    }

    private func guarded(_ roundings: [RowQuantization]) -> GuardedMemory<RowQuantization> {
      let memory = GuardedMemory(
        count: roundings.count, filledWith: RowQuantization(scale: 0, zeroPoint: 0))
      for (index, rounding) in roundings.enumerated() { memory.start[index] = rounding }
      return memory
    }

    private var noRange: QuantizedRange { QuantizedRange(zeroPoint: 0, minimum: 0, maximum: 0) }

    /// Checks every strategy that accepts the problem.
    func check(_ table: KernelTable, roundingStride: Int, _ what: String) {
      let seen = GEMMProblem(geometry, rows: rows, columns: columns, rowBytes: .signed)
      let expected = results(roundingStride: roundingStride)
      for strategy in table.quantizedGEMM.accepting(seen) {
        #expect(
          product(strategy.kernel, roundingStride: roundingStride) == expected,
          "\(what), \(strategy.name)")
      }
    }

    func product(_ kernel: QuantizedGEMM, roundingStride: Int) -> [Float] {
      let input = GuardedMemory(self.input)
      let filter = GuardedMemory(self.filter)
      let scales = GuardedMemory(self.scales)
      let bias = GuardedMemory(self.bias)
      let roundings = guarded(self.roundings)
      let packed = GuardedMemory<UInt8>(
        count: kernel.packedByteCount(columns, geometry), filledWith: 0xAA)
      kernel.pack(
        QuantizedPackingArguments(
          filter: filter.start, filterFormat: format(0), inputFormat: format(0), bias: nil,
          requantization: .hybrid(scales: scales.start, bias: bias.start), columns: columns,
          patches: geometry, packed: packed.start))
      let scratch = GuardedMemory<UInt8>(
        count: kernel.scratchByteCount(geometry), filledWith: 0xAA)
      let output = GuardedMemory<Float>(count: rows * columns, filledWith: .nan)
      kernel.run(
        GEMMBlock(
          patches: geometry, input: input.start, packed: packed.start, output: output.start,
          outputStride: columns, rows: 0..<rows, columns: 0..<columns,
          epilogue: QuantizedEpilogue(
            inputFormat: format(self.roundings[0].zeroPoint), range: noRange,
            hybrid: scaling(roundings, stride: roundingStride)), scratch: scratch.start))
      return output.elements
    }

    func depthwise(_ kernel: QuantizedDepthwise) -> [Float] {
      let channels = geometry.channels
      let input = GuardedMemory(self.input)
      let filter = GuardedMemory(self.filter)
      let scales = GuardedMemory(self.scales)
      let bias = GuardedMemory(self.bias)
      let roundings = guarded([self.roundings[0]])
      let packed = GuardedMemory<UInt8>(
        count: kernel.packedByteCount(geometry), filledWith: 0xAA)
      kernel.pack(
        QuantizedDepthwisePackingArguments(
          filter: filter.start, filterFormat: format(0), inputFormat: format(0), bias: nil,
          requantization: .hybrid(scales: scales.start, bias: bias.start), geometry: geometry,
          packed: packed.start))
      let scratch = GuardedMemory<UInt8>(
        count: kernel.scratchByteCount(geometry), filledWith: 0xAA)
      let output = GuardedMemory<Float>(count: rows * channels, filledWith: .nan)
      kernel.run(
        WindowBlock(
          patches: geometry, input: input.start, packed: packed.start, output: output.start,
          pixels: 0..<rows,
          epilogue: QuantizedEpilogue(
            inputFormat: format(self.roundings[0].zeroPoint), range: noRange,
            hybrid: scaling(roundings, stride: 0)), scratch: scratch.start))
      return output.elements
    }
  }
}
