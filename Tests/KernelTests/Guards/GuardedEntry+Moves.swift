import OcellusKernelABI

extension GuardedEntry {
  static let moves: [GuardedEntry] = [
    GuardedEntry("dataMovement.copyRows", problems: 150) { table, operands in
      let rows = operands.size("rows", 1...20)
      let columns = operands.size("columns", 1...200)
      // Rows of the source may overlap, but rows of the target may not.
      let sourceStride = operands.bool() ? columns : operands.number(0...columns + 9)
      let targetStride = columns + operands.choice([0, 1, 7])
      operands.note("\(sourceStride) to \(targetStride) apart")
      table.dataMovement.copyRows(
        operands.plane(
          rows, columns, sourceStride, targetStride,
          sourceBytes: (rows - 1) * sourceStride + columns,
          targetBytes: (rows - 1) * targetStride + columns))
    },
    transposition("transpose1", 1) { $0.transpose1 },
    transposition("transpose2", 2) { $0.transpose2 },
    transposition("transpose4", 4) { $0.transpose4 },
    reversal("reverse1", 1) { $0.reverse1 },
    reversal("reverse2", 2) { $0.reverse2 },
    reversal("reverse4", 4) { $0.reverse4 },
    reversal("reverse8", 8) { $0.reverse8 },
    GuardedEntry("dataMovement.gatherRows", problems: 150) { table, operands in
      let rowBytes = operands.size("bytes", 1...200)
      let rows = operands.number(1...9)
      let count = operands.size("count", 1...40)
      table.dataMovement.gatherRows(
        GatheringArguments(
          source: operands.bits("source", byteCount: rows * rowBytes),
          target: operands.result("target", byteCount: count * rowBytes), rowBytes: rowBytes,
          rows: operands.values("rows", in: 0...Int32(rows - 1), count: count), count: count))
    },
    GuardedEntry(
      "fourier.transformRows", ["fourier.transformRows", "fourier.scratchByteCount"]
    ) { table, operands in
      let length = 1 << operands.number(1...9)
      let rows = operands.size("rows", 1...20)
      let present = operands.number(1...length + 3)
      let stride = present + operands.number(0...3)
      operands.note("\(present) of \(length), \(stride) apart")
      let first = operands.number(0...rows - 1)
      let results = 2 * (length / 2 + 1)
      let bits = length.trailingZeroBitCount
      let reversed = (0..<length).map { index in
        (0..<bits).reduce(Int32(0)) { $0 | Int32((index >> $1 & 1) << (bits - 1 - $1)) }
      }
      table.fourier.transformRows(
        RowTransformArguments(
          input: operands.floats("input", count: (rows - 1) * stride + present),
          inputStride: stride, inputCount: present,
          output: operands.result("output", Float.self, count: (rows - first) * results)
            - first * results,
          rows: first..<rows, length: length,
          roots: operands.values("roots", (0..<length).map { 1 / Double($0 + 1) }),
          reversedIndices: operands.values("indices", reversed),
          scratch: operands.scratch(
            "scratch", byteCount: table.fourier.scratchByteCount(length))))
    },
    GuardedEntry("fourier.magnitudes") { table, operands in
      let count = operands.size("count", 1...130)
      table.fourier.magnitudes(
        operands.floats("numbers", count: 2 * count), operands.result("results", count: count),
        count
      )
    },
  ]

  private static func transposition(
    _ name: String, _ width: Int,
    of kernel: @escaping @Sendable (DataMovement) -> DataMovement.Kernel
  ) -> GuardedEntry {
    GuardedEntry("dataMovement.\(name)", problems: 300) { table, operands in
      let rows = operands.size("rows", 1...300)
      let columns = operands.size("columns", 1...130)
      let sourceStride = columns + operands.choice([0, 1, 5])
      let targetStride = rows + operands.choice([0, 1, 5])
      kernel(table.dataMovement)(
        operands.plane(
          rows, columns, sourceStride * width, targetStride * width,
          sourceBytes: ((rows - 1) * sourceStride + columns) * width,
          targetBytes: ((columns - 1) * targetStride + rows) * width))
    }
  }

  private static func reversal(
    _ name: String, _ width: Int,
    of kernel: @escaping @Sendable (DataMovement) -> DataMovement.Kernel
  ) -> GuardedEntry {
    GuardedEntry("dataMovement.\(name)", problems: 80) { table, operands in
      let rows = operands.size("rows", 1...20)
      let columns = operands.size("columns", 1...200)
      var plane = operands.plane(
        rows, columns, columns * width, columns * width, sourceBytes: rows * columns * width,
        targetBytes: rows * columns * width)
      plane.source += (columns - 1) * width
      kernel(table.dataMovement)(plane)
    }
  }
}

extension GuardedOperands {
  fileprivate func plane(
    _ rows: Int, _ columns: Int, _ sourceStride: Int, _ targetStride: Int, sourceBytes: Int,
    targetBytes: Int
  ) -> CopyArguments {
    CopyArguments(
      source: bits("source", byteCount: sourceBytes),
      target: result("target", byteCount: targetBytes), rowCount: rows, columnCount: columns,
      sourceStride: sourceStride, targetStride: targetStride)
  }
}
