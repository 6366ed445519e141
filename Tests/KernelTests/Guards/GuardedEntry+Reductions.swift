import OcellusKernelABI

extension GuardedEntry {
  static let reductions: [GuardedEntry] = [
    reduction("sumFloat", 4) { $0.sumFloat },
    reduction("productFloat", 4) { $0.productFloat },
    reduction("maximumFloat", 4) { $0.maximumFloat },
    reduction("minimumFloat", 4) { $0.minimumFloat },
    reduction("sumUInt8", 1, to: 4) { $0.sumUInt8 },
    reduction("sumInt8", 1, to: 4) { $0.sumInt8 },
    reduction("maximumUInt8", 1) { $0.maximumUInt8 },
    reduction("maximumInt8", 1) { $0.maximumInt8 },
    reduction("minimumUInt8", 1) { $0.minimumUInt8 },
    reduction("minimumInt8", 1) { $0.minimumInt8 },
    reduction("indexOfMaximumUInt8", 1, to: 4) { $0.indexOfMaximumUInt8 },
    reduction("indexOfMaximumInt8", 1, to: 4) { $0.indexOfMaximumInt8 },
    reduction("indexOfMinimumUInt8", 1, to: 4) { $0.indexOfMinimumUInt8 },
    reduction("indexOfMinimumInt8", 1, to: 4) { $0.indexOfMinimumInt8 },
    reduction("sumInt32", 4) { $0.sumInt32 },
    reduction("productInt32", 4) { $0.productInt32 },
    reduction("sumInt64", 8) { $0.sumInt64 },
    reduction("maximumInt32", 4) { $0.maximumInt32 },
    reduction("minimumInt32", 4) { $0.minimumInt32 },
    reduction("indexOfMaximumInt32", 4) { $0.indexOfMaximumInt32 },
    reduction("indexOfMinimumInt32", 4) { $0.indexOfMinimumInt32 },
    reduction("indexOfMaximumFloat", 4) { $0.indexOfMaximumFloat },
    reduction("indexOfMinimumFloat", 4) { $0.indexOfMinimumFloat },
  ]

  private static func reduction(
    _ name: String, _ elementBytes: Int, to resultBytes: Int? = nil,
    of kernel: @escaping @Sendable (Reductions) -> Reductions.Kernel
  ) -> GuardedEntry {
    GuardedEntry("reductions.\(name)", problems: 120) { table, operands in
      let outer = operands.size("outer", 1...40)
      let reduced = operands.size("reduced", 1...130)
      let inner =
        operands.bool()
        ? 1 : min(operands.size("inner", 1...130), max(1, 100_000 / (outer * reduced)))
      let resultBytes = resultBytes ?? elementBytes
      var range = 0..<outer
      if operands.bool() {
        let first = operands.number(0...outer - 1)
        range = first..<operands.number(first + 1...outer)
      }
      operands.note("\(range)")
      let count = outer * reduced * inner
      // Elements of four bytes are drawn as floats for all kernels, and none is a NaN.
      let input =
        elementBytes == 4
        ? UnsafeRawPointer(operands.floats("input", count: count))
        : operands.bits("input", byteCount: elementBytes * count)
      let skipped = range.lowerBound * inner * resultBytes
      kernel(table.reductions)(
        ReductionArguments(
          input: input,
          output: operands.result("output", byteCount: range.count * inner * resultBytes) - skipped,
          outer: range, outerCount: outer, reducedCount: reduced, innerCount: inner, initial: 0,
          divisor: 3, numerics: operands.bool() ? .fast : .exact))
    }
  }
}
