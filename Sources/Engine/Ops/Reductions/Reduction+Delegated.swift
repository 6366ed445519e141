import OcellusKernelABI

// XNNPACK's sums of floats: along the last axis in four vectors of eight lanes, or with AVX-512 in
// two of sixteen, along other axes in order; a mean multiplies by the reciprocal of the number of
// elements.

extension Reduction {
  /// Computes a sum or mean of floats in XNNPACK's order; for axes that are not adjacent, in that of
  /// the reference.
  ///
  /// - Returns: whether it did.
  func runDelegatedFloats(_ context: RunContext) -> Bool {
    let layout = layout(context)
    let runs = layout.runs
    guard runs.count == 1, let run = runs.first else { return false }
    let input = UnsafeBufferPointer(context.input(0).values(Float.self))
    let output = context.output(0).values(Float.self)
    let factor = kind == .mean ? 1 / Float(layout.reducedCount) : 1
    let isContiguous = run.inner == 1 && reducesLastAxis(context)
    var question = StoppableWork(context.control)
    for outer in 0..<run.outer {
      let start = outer * run.reduced * run.inner
      if isContiguous {
        let row = UnsafeBufferPointer(rebasing: input[start..<start + run.reduced])
        output[outer] = Self.sum(row, context.node.delegateProcessor ?? .avx2) * factor
        if question.isOver(after: run.reduced) { return true }
        continue
      }
      let sums = UnsafeMutableBufferPointer(
        rebasing: output[outer * run.inner..<(outer + 1) * run.inner])
      sums.update(repeating: 0)
      for index in 0..<run.reduced {
        let row = UnsafeBufferPointer(rebasing: input[(start + index * run.inner)...])
        for inner in sums.indices { sums[inner] = row[inner] + sums[inner] }
        if question.isOver(after: run.inner) { return true }
      }
      for inner in sums.indices { sums[inner] *= factor }
    }
    return true
  }

  /// Returns whether the last axis is among those that are reduced.
  private func reducesLastAxis(_ context: RunContext) -> Bool {
    let axes = Array(context.input(1).integers)
    return ReductionLayout.marks(axes, rank: context.input(0).shape.rank).last == true
  }

  private static func sum(
    _ row: UnsafeBufferPointer<Float>, _ processor: LiteRTProcessor
  ) -> Float {
    switch processor {
    case .avx2: sumInEights(row)
    case .avx512: sumInSixteens(row)
    }
  }

  /// Returns the sum of a row: whole blocks of 32 in two vectors, then a vector, then the rest.
  private static func sumInSixteens(_ row: UnsafeBufferPointer<Float>) -> Float {
    guard let start = row.baseAddress else { return 0 }
    func sixteen(_ index: Int) -> SIMD16<Float> {
      UnsafeRawPointer(start + index).loadUnaligned(as: SIMD16<Float>.self)
    }
    var (a, b) = (SIMD16<Float>.zero, SIMD16<Float>.zero)
    var index = 0
    while row.count - index >= 32 {
      a += sixteen(index)
      b += sixteen(index + 16)
      index += 32
    }
    if row.count - index >= 16 {
      a += sixteen(index)
      index += 16
    }
    var sum = a + b
    for lane in 0..<row.count - index { sum[lane] += row[index + lane] }
    return sumOfLanes(sum.lowHalf + sum.highHalf)
  }

  private static func sumOfLanes(_ lanes: SIMD8<Float>) -> Float {
    let half = lanes.lowHalf + lanes.highHalf
    return (half[0] + half[2]) + (half[1] + half[3])
  }

  /// Returns the sum of a row: whole blocks of 32 in four vectors, then vectors, then the rest.
  private static func sumInEights(_ row: UnsafeBufferPointer<Float>) -> Float {
    guard let start = row.baseAddress else { return 0 }
    func eight(_ index: Int) -> SIMD8<Float> {
      UnsafeRawPointer(start + index).loadUnaligned(as: SIMD8<Float>.self)
    }
    var (a, b, c, d) = (
      SIMD8<Float>.zero, SIMD8<Float>.zero, SIMD8<Float>.zero, SIMD8<Float>.zero
    )
    var index = 0
    while row.count - index >= 32 {
      a += eight(index)
      b += eight(index + 8)
      c += eight(index + 16)
      d += eight(index + 24)
      index += 32
    }
    if row.count - index >= 8 {
      a += eight(index)
      index += 8
    }
    if row.count - index >= 8 {
      b += eight(index)
      index += 8
    }
    if row.count - index >= 8 {
      c += eight(index)
      index += 8
    }
    var sum = (a + c) + (b + d)
    for lane in 0..<row.count - index { sum[lane] += row[index + lane] }
    return sumOfLanes(sum)
  }
}
