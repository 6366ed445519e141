import OcellusKernelABI

// XNNPACK's sums of floats: along the last axis in four vectors of eight lanes, with AVX-512 in two
// of sixteen, and on Arm in four of four; along other axes in order; a mean multiplies by the reciprocal of the number of
// elements.

extension Reduction {
  /// Computes a sum or mean of floats in XNNPACK's order, unless axes are not adjacent.
  ///
  /// - Returns: whether it did.
  func runDelegatedFloats(_ context: RunContext) -> Bool {
    let axes = Array(context.input(1).integers)
    guard
      let sums = delegatedSums(
        context.input(0).shape, axes, context.node.delegateProcessor ?? .avx2),
      let input = context.input(0).values(Float.self).baseAddress,
      let output = context.output(0).values(Float.self).baseAddress
    else { return false }
    sums.compute(0..<sums.run.outer, of: input, to: output, context.control)
    return true
  }

  /// Returns a step that computes a sum or mean of floats in XNNPACK's order.
  func delegatedStep(
    _ shape: Shape, _ axes: [Int], _ context: PlanContext, longestRun: Int
  ) -> Step? {
    guard case .litert(let processor) = context.numerics,
      let sums = delegatedSums(shape, axes, processor)
    else { return nil }
    let run = sums.run
    let runLength = saturatingProduct(run.reduced, run.inner)
    guard runLength <= longestRun else { return nil }
    let grid = WorkItemGrid(
      rows: run.outer, multipleOf: 1, columns: 1, multipleOf: 1,
      multiplyAdds: saturatingProduct(run.outer, runLength) / 4, threadCount: context.threadCount,
      maximumBlockWork: Step.longestSlice)
    return Step(kernelName: "reduction float32", itemCount: grid.count) { step, item in
      grid.forEachBlock(of: item, step.workers) { rows, _ in
        sums.compute(
          rows, of: step.input(0).assumingMemoryBound(to: Float.self),
          to: step.output(0).assumingMemoryBound(to: Float.self), nil)
      }
    }
  }

  /// - Returns: `nil` for axes that are not adjacent.
  private func delegatedSums(
    _ shape: Shape, _ axes: [Int], _ processor: LiteRTProcessor
  ) -> DelegatedSums? {
    let layout = ReductionLayout(shape, reducing: axes)
    let runs = layout.runs
    guard runs.count == 1, let run = runs.first else { return nil }
    let reducesLastAxis = ReductionLayout.marks(axes, rank: shape.rank).last == true
    return DelegatedSums(
      run: run, isContiguous: run.inner == 1 && reducesLastAxis,
      factor: kind == .mean ? 1 / Float(layout.reducedCount) : 1, processor: processor)
  }
}

/// Sums along one run of axes, times a factor.
private struct DelegatedSums: Sendable {
  let run: ReductionLayout.AxisRun
  /// Whether the run contains the last axis.
  let isContiguous: Bool
  let factor: Float
  let processor: LiteRTProcessor

  /// Computes the sums of some outer elements, until the run is stopped.
  func compute(
    _ rows: Range<Int>, of input: UnsafePointer<Float>, to output: UnsafeMutablePointer<Float>,
    _ control: RunControl?
  ) {
    var question = StoppableWork(control)
    for outer in rows {
      let start = input + outer * run.reduced * run.inner
      if isContiguous {
        let row = UnsafeBufferPointer(start: start, count: run.reduced)
        output[outer] = Self.sum(row, processor) * factor
        if question.isOver(after: run.reduced) { return }
        continue
      }
      let sums = output + outer * run.inner
      sums.update(repeating: 0, count: run.inner)
      for index in 0..<run.reduced {
        let row = start + index * run.inner
        for inner in 0..<run.inner { sums[inner] = row[inner] + sums[inner] }
        if question.isOver(after: run.inner) { return }
      }
      for inner in 0..<run.inner { sums[inner] *= factor }
    }
  }

  private static func sum(
    _ row: UnsafeBufferPointer<Float>, _ processor: LiteRTProcessor
  ) -> Float {
    switch processor {
    case .avx2, .avx2Intel: sumInEights(row)
    case .avx512: sumInSixteens(row)
    case .neon: sumInFours(row)
    }
  }

  /// Returns the sum of a row: whole vectors of four lanes, then the rest, before the last lanes are
  /// added.
  private static func sumInFours(_ row: UnsafeBufferPointer<Float>) -> Float {
    let (sum, count) = sumInFourVectors(row, as: SIMD4<Float>.self)
    var index = count
    var pair = sum.lowHalf + sum.highHalf
    if row.count - index >= 2 {
      pair += SIMD2(row[index], row[index + 1])
      index += 2
    }
    let total = pair[0] + pair[1]
    return index < row.count ? total + row[index] : total
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

  /// Returns the sum of a row: whole vectors of eight lanes, then the rest.
  private static func sumInEights(_ row: UnsafeBufferPointer<Float>) -> Float {
    var (sum, count) = sumInFourVectors(row, as: SIMD8<Float>.self)
    for lane in 0..<row.count - count { sum[lane] += row[count + lane] }
    return sumOfLanes(sum)
  }

  /// Returns the lanes of a row's sum, and the number of its elements that fill whole vectors:
  /// blocks of four vectors are added to four sums, then up to three vectors to the first ones.
  @inline(__always)
  private static func sumInFourVectors<Vector: SIMD<Float>>(
    _ row: UnsafeBufferPointer<Float>, as _: Vector.Type
  ) -> (sum: Vector, count: Int) {
    guard let start = row.baseAddress else { return (.zero, 0) }
    func vector(_ index: Int) -> Vector {
      UnsafeRawPointer(start + index).loadUnaligned(as: Vector.self)
    }
    let width = Vector.scalarCount
    var (a, b, c, d) = (Vector.zero, Vector.zero, Vector.zero, Vector.zero)
    var index = 0
    while row.count - index >= 4 * width {
      a += vector(index)
      b += vector(index + width)
      c += vector(index + 2 * width)
      d += vector(index + 3 * width)
      index += 4 * width
    }
    if row.count - index >= width {
      a += vector(index)
      index += width
    }
    if row.count - index >= width {
      b += vector(index)
      index += width
    }
    if row.count - index >= width {
      c += vector(index)
      index += width
    }
    return ((a + c) + (b + d), index)
  }
}
