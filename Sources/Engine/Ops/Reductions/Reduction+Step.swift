import OcellusKernelABI

extension Reduction {
  /// The greatest number of reduced times inner elements, which a kernel processes without a stop.
  private static let longestRun = 1 << 25

  package func plan(_ context: PlanContext) throws(ModelError) -> Step? {
    guard let shape = context.inputShapes[0], let axes = context.knownValues[1] else { return nil }
    let layout = ReductionLayout(shape, reducing: Array(axes.integers))
    let type = context.node.outputs[0].type
    let runs = layout.runs
    // Float sums and products in another order are not bit-exact.
    let hasOrder = type == .float32 && [.sum, .mean, .product].contains(kind)
    if context.isDelegated, type == .float32, kind == .sum || kind == .mean {
      return delegatedStep(shape, Array(axes.integers), context, longestRun: Self.longestRun)
    }
    guard let kernel = kernel(context), !runs.isEmpty,
      runs.allSatisfy({ saturatingProduct($0.reduced, $0.inner) <= Self.longestRun }),
      runs.count == 1 || !hasOrder || context.numerics == .fast
    else { return nil }
    let isSumOfBytes = (type == .int8 || type == .uint8) && (kind == .sum || kind == .mean)
    return isSumOfBytes
      ? byteStep(kernel, layout, context) : plainStep(kernel, layout, context)
  }

  private func kernel(_ context: PlanContext) -> Reductions.Kernel? {
    let reductions = context.kernels.reductions
    switch (kind, context.node.outputs[0].type) {
    case (.sum, .float32), (.mean, .float32): return reductions.sumFloat
    case (.maximum, .float32): return reductions.maximumFloat
    case (.minimum, .float32): return reductions.minimumFloat
    case (.sum, .uint8), (.mean, .uint8): return reductions.sumUInt8
    case (.sum, .int8), (.mean, .int8): return reductions.sumInt8
    case (.maximum, .uint8): return reductions.maximumUInt8
    case (.maximum, .int8): return reductions.maximumInt8
    case (.minimum, .uint8): return reductions.minimumUInt8
    case (.minimum, .int8): return reductions.minimumInt8
    case (.sum, .int32): return reductions.sumInt32
    case (.product, .float32): return reductions.productFloat
    case (.product, .int32): return reductions.productInt32
    case (.sum, .int64): return reductions.sumInt64
    case (.maximum, .int32): return reductions.maximumInt32
    case (.minimum, .int32): return reductions.minimumInt32
    // The maximum is not zero if any byte is not zero, the minimum if all bytes are not zero.
    case (.any, .bool): return reductions.maximumUInt8
    case (.all, .bool): return reductions.minimumUInt8
    default: return nil
    }
  }

  /// Returns a step whose results have the type of the elements.
  private func plainStep(
    _ kernel: @escaping Reductions.Kernel, _ layout: ReductionLayout, _ context: PlanContext
  ) -> Step {
    let type = context.node.outputs[0].type
    let passes = ReductionPasses(
      layout.runs, kernel, kernel, elementBytes: type.byteWidth ?? 1,
      divisor: kind == .mean ? Float(layout.reducedCount) : 1, context)
    let start = start(type)
    let startsFromFirst = layout.reducesAllAxes && type == .float32
    return Step(
      kernelName: "reduction \(type.name) \(context.kernels.name)",
      scratchByteCount: passes.scratchByteCount
    ) { step in
      let input = step.input(0)
      passes.run(
        step, from: input, to: step.output(0), in: step.scratch,
        initial: startsFromFirst ? input.load(as: Float.self) : start)
      guard type == .bool else { return }
      let results = step.output(0).assumingMemoryBound(to: Boolean.self)
      step.workers.forEachSlice(of: 0..<layout.keptCount, length: Step.longestSlice) { slice in
        for index in slice { results[index] = Boolean(results[index].isTrue) }
      }
    }
  }

  /// Returns the initial value of a search for an extreme.
  private func start(_ type: ElementType) -> Float {
    let range: ClosedRange<Float> =
      switch type {
      case .int8: -128...127
      case .uint8, .bool: 0...255
      default: Float.lowest...Float.highest
      }
    return kind == .maximum || kind == .any ? range.lowerBound : range.upperBound
  }

  /// Returns a step that sums bytes in scratch memory and then requantizes each sum.
  private func byteStep(
    _ kernel: @escaping Reductions.Kernel, _ layout: ReductionLayout, _ context: PlanContext
  ) -> Step? {
    guard let requantize = requantization(count: layout.reducedCount) else { return nil }
    let type = context.node.outputs[0].type
    let range: ClosedRange<Int32> = type == .int8 ? -128...127 : 0...255
    let passes = ReductionPasses(
      layout.runs, kernel, context.kernels.reductions.sumInt32, elementBytes: 4, divisor: 1,
      context)
    let count = layout.keptCount
    let sumBytes = ArenaPlanner.aligned(count * 4)
    let convert = context.kernels.elementwise.converted
    let conversion = requantize.conversion(count: layout.reducedCount, to: type, range: range)
    return Step(
      kernelName: "reduction \(type.name) \(context.kernels.name)",
      scratchByteCount: sumBytes + passes.scratchByteCount
    ) { step in
      passes.run(
        step, from: step.input(0), to: step.scratch, in: step.scratch + sumBytes, initial: 0)
      let results = step.output(0).assumingMemoryBound(to: UInt8.self)
      let values = step.scratch.assumingMemoryBound(to: Int32.self)
      step.workers.forEachSlice(of: 0..<count, length: Step.longestSlice) { slice in
        if let conversion {
          return convert(
            conversion,
            ElementRow(
              input: values + slice.lowerBound, output: results + slice.lowerBound,
              count: slice.count))
        }
        for index in slice {
          results[index] = UInt8(truncatingIfNeeded: requantize(values[index]).clamped(to: range))
        }
      }
    }
  }
}

/// Reductions along runs of adjacent axes, one pass after the other, each of the previous results.
private struct ReductionPasses: Sendable {
  private typealias Operands = (
    input: UnsafeRawPointer, output: UnsafeMutableRawPointer, initial: Float,
    workers: WorkersReference
  )
  private struct Pass: Sendable {
    var loop: WorkItemLoop<Operands>
    var itemCount: Int
    /// The offset of the results in scratch memory; not used by the last pass.
    var offset: Int
  }
  private let passes: [Pass]
  let scratchByteCount: Int

  /// Makes passes with one kernel for the first and another for the later ones.
  ///
  /// Intermediate results have `elementBytes` bytes; the last pass applies the divisor.
  init(
    _ runs: [ReductionLayout.AxisRun], _ first: @escaping Reductions.Kernel,
    _ later: @escaping Reductions.Kernel, elementBytes: Int, divisor: Float, _ context: PlanContext
  ) {
    var passes: [Pass] = []
    var offset = 0
    let numerics = context.numerics
    for (index, run) in runs.enumerated() {
      let isLast = index == runs.count - 1
      let kernel = index == 0 ? first : later
      let grid = WorkItemGrid(
        rows: run.outer, multipleOf: 1, columns: 1, multipleOf: 1,
        multiplyAdds: run.outer * run.reduced * run.inner / 4, threadCount: context.threadCount,
        maximumBlockWork: Step.longestSlice)
      let loop = WorkItemLoop<Operands> { operands, item in
        grid.forEachBlock(of: item, operands.workers) { rows, _ in
          kernel(
            ReductionArguments(
              input: operands.input, output: operands.output, outer: rows,
              outerCount: run.outer, reducedCount: run.reduced, innerCount: run.inner,
              initial: operands.initial, divisor: isLast ? divisor : 1, numerics: numerics))
        }
      }
      passes.append(Pass(loop: loop, itemCount: grid.count, offset: offset))
      if !isLast { offset += ArenaPlanner.aligned(run.outer * run.inner * elementBytes) }
    }
    self.passes = passes
    scratchByteCount = offset
  }

  func run(
    _ step: StepContext, from input: UnsafeRawPointer, to output: UnsafeMutableRawPointer,
    in scratch: UnsafeMutableRawPointer, initial: Float
  ) {
    var input = input
    for index in passes.indices {
      let pass = passes[index]
      let target = index == passes.count - 1 ? output : scratch + pass.offset
      step.workers.run(pass.itemCount, pass.loop, (input, target, initial, step.workers))
      input = UnsafeRawPointer(target)
    }
  }
}
