import OcellusKernelABI

extension GuardedEntry {
  static let recurrent: [GuardedEntry] = [
    GuardedEntry("recurrentCells.floatLSTM") { table, operands in
      let cells = table.recurrentCells
      let stride = cells.laneCount * operands.size("vectors", 1...9)
      cells.floatLSTM(
        FloatLSTMArguments(
          inputSums: operands.floats("input sums", count: 4 * stride),
          stateSums: operands.floats("state sums", count: 4 * stride),
          hasInputGate: operands.bool(), stateLimit: 0.7,
          states: operands.floatState("states", count: stride),
          output: operands.result("output", count: stride), stride: stride))
    },
    GuardedEntry("recurrentCells.integerLSTM") { table, operands in
      let cells = table.recurrentCells
      let stride = cells.laneCount * operands.size("vectors", 1...9)
      let factor = FixedPointFactor(fraction: 1 << 30, exponent: -5)
      let factors = (factor, factor, factor, factor)
      let scales = IntegerLSTMScales(
        input: factors, state: factors, hasInputGate: operands.bool(), stateIntegerBits: 3,
        stateLimit: 32768, output: FixedPointFactor(fraction: 1 << 30, exponent: -20),
        outputZeroPoint: 3)
      cells.integerLSTM(
        IntegerLSTMArguments(
          scales: operands.values("scales", [scales]),
          inputSums: operands.values("input sums", in: -90_000...90_000, count: 4 * stride),
          stateSums: operands.values("state sums", in: -90_000...90_000, count: 4 * stride),
          states: UnsafeMutablePointer(
            mutating: operands.values("states", in: -32768...32767, count: stride)),
          output: operands.result("output", count: stride), stride: stride))
    },
    GuardedEntry("recurrentCells.integerFilters", problems: 100) { table, operands in
      let cells = table.recurrentCells
      let rank = operands.number(1...4)
      let units = operands.size("units", 1...40)
      let memory = operands.size("memory", 1...20)
      let filters = rank * units
      func filled(_ count: Int) -> Int {
        (count + cells.laneCount - 1) / cells.laneCount * cells.laneCount
      }
      let output = operands.state("output", Int8.self, count: filled(units))
      cells.integerFilters(
        IntegerFilterArguments(
          sums: UnsafeMutablePointer(
            mutating: operands.values("sums", in: -90_000...90_000, count: filled(filters))),
          states: operands.state("states", count: filters * memory),
          weights: operands.integers("weights", count: filters * memory),
          bias: operands.bool()
            ? operands.values("bias", in: -9000...9000, count: units) : nil,
          output: output, filters: filters, memory: memory, rank: rank,
          featureFactor: FixedPointFactor(fraction: 1 << 30, exponent: -3),
          outputFactor: FixedPointFactor(fraction: 1 << 30, exponent: -22), outputZeroPoint: 3))
    },
  ]

  static let inspection: [GuardedEntry] = [
    GuardedEntry("inspection.sumWords", problems: 20) { table, operands in
      let count = operands.size("blocks", 1...130)
      _ = table.inspection.sumWords(
        operands.bits("memory", byteCount: count * Inspection.blockByteCount), count)
    },
    GuardedEntry("inspection.sumColumns") { table, operands in
      let rows = 2 * operands.size("pairs", 1...40)
      let columns = operands.size("columns", 1...70)
      _ = table.inspection.sumColumns(
        operands.bits("memory", byteCount: 4 * rows * columns), rows, columns)
    },
    GuardedEntry("inspection.momentsOfFloats", problems: 20) { table, operands in
      let count = operands.size("blocks", 1...130)
      _ = table.inspection.momentsOfFloats(
        operands.floats("memory", count: count * Inspection.blockByteCount / 4), count)
    },
    GuardedEntry("inspection.momentsOfBytes", problems: 20) { table, operands in
      let count = operands.size("blocks", 1...130)
      _ = table.inspection.momentsOfBytes(
        operands.bits("memory", byteCount: count * Inspection.blockByteCount), count,
        operands.bool())
    },
    limit("multiplyFloats") { $0.multiplyFloats },
    limit("multiplyBytes") { $0.multiplyBytes },
    GuardedEntry("inspection.limits.read", problems: 20) { table, operands in
      let byteCount = PeakLoops.readByteCount * operands.size("pieces", 1...20)
      // The sum has the size of a vector of the longest instruction set.
      table.inspection.limits.read(
        operands.bits("memory", byteCount: byteCount), byteCount,
        operands.scratch("sum", byteCount: 64))
    },
  ]

  private static func limit(
    _ name: String, of kernel: @escaping @Sendable (PeakLoops) -> PeakLoops.Products
  ) -> GuardedEntry {
    GuardedEntry("inspection.limits.\(name)", problems: 4) { table, operands in
      kernel(table.inspection.limits)(
        operands.number(1...9),
        UnsafeMutableRawPointer(
          operands.state("memory", UInt8.self, count: PeakLoops.memoryByteCount)))
    }
  }
}
