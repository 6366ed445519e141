// XNNPACK's sums of floats: along the last axis in four vectors of eight lanes, along other axes in
// order; a mean multiplies by the reciprocal of the number of elements.

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
    var question = StoppableWork(context.control)
    for outer in 0..<run.outer {
      let start = outer * run.reduced * run.inner
      if run.inner == 1 {
        let row = UnsafeBufferPointer(rebasing: input[start..<start + run.reduced])
        output[outer] = Self.sumInVectors(row) * factor
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

  /// Returns the sum of a row: whole blocks of 32 in four vectors, then vectors, then the rest.
  private static func sumInVectors(_ row: UnsafeBufferPointer<Float>) -> Float {
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
    let half = sum.lowHalf + sum.highHalf
    return (half[0] + half[2]) + (half[1] + half[3])
  }
}
