import OcellusKernelABI

extension Reduction {
  package func plan(_ context: PlanContext) throws(ModelError) -> Step? {
    guard let shape = context.inputShapes[0], let axes = context.knownValues[1] else { return nil }
    let layout = ReductionLayout(shape, reducing: Array(axes.integers))
    guard let extents = layout.oneRun, let kernel = kernel(context) else { return nil }
    let type = context.node.outputs[0].type
    let isSumOfBytes = (type == .int8 || type == .uint8) && (kind == .sum || kind == .mean)
    return isSumOfBytes
      ? byteStep(kernel, extents, context) : plainStep(kernel, extents, layout, context)
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
    // Some byte is not zero, or none is.
    case (.any, .bool): return reductions.maximumUInt8
    case (.all, .bool): return reductions.minimumUInt8
    default: return nil
    }
  }

  /// Results in the type of the elements.
  private func plainStep(
    _ kernel: @escaping Reductions.Kernel, _ extents: ReductionLayout.OneRun,
    _ layout: ReductionLayout, _ context: PlanContext
  ) -> Step {
    let grid = grid(extents, context)
    let type = context.node.outputs[0].type
    let numerics = context.numerics
    let divisor = kind == .mean ? Float(extents.reduced) : 1
    let start = start(type)
    let startsFromFirst = layout.reducesAllAxes && type == .float32
    return Step(
      kernelName: "reduction \(type.name) \(context.kernels.name)", partCount: grid.count
    ) { step, part in
      let input = step.input(0)
      kernel(
        ReductionArguments(
          input: input, output: step.output(0), outer: grid[part].rows,
          outerCount: extents.outer, reducedCount: extents.reduced, innerCount: extents.inner,
          initial: startsFromFirst ? input.load(as: Float.self) : start, divisor: divisor,
          numerics: numerics))
      guard type == .bool else { return }
      let results = step.output(0).assumingMemoryBound(to: Boolean.self)
      let first = grid[part].rows.lowerBound * extents.inner
      for index in first..<first + grid[part].rows.count * extents.inner {
        results[index] = Boolean(results[index].isTrue)
      }
    }
  }

  /// What the search for an extreme starts from.
  private func start(_ type: ElementType) -> Float {
    let range: ClosedRange<Float> =
      switch type {
      case .int8: -128...127
      case .uint8, .bool: 0...255
      default: Float.lowest...Float.highest
      }
    return kind == .maximum || kind == .any ? range.lowerBound : range.upperBound
  }

  /// Sums of bytes in working memory, then one rescaling for each.
  private func byteStep(
    _ kernel: @escaping Reductions.Kernel, _ extents: ReductionLayout.OneRun,
    _ context: PlanContext
  ) -> Step? {
    guard let requantize = requantization(count: extents.reduced) else { return nil }
    let type = context.node.outputs[0].type
    let range: ClosedRange<Int32> = type == .int8 ? -128...127 : 0...255
    let grid = grid(extents, context)
    let count = extents.outer * extents.inner
    let loop = PartLoop<StepContext> { step, part in
      kernel(
        ReductionArguments(
          input: step.input(0), output: step.scratch, outer: grid[part].rows,
          outerCount: extents.outer, reducedCount: extents.reduced, innerCount: extents.inner))
    }
    let convert = context.kernels.elementwise.converted
    let conversion = requantize.conversion(count: extents.reduced, to: type, range: range)
    return Step(
      kernelName: "reduction \(type.name) \(context.kernels.name)", scratchByteCount: count * 4
    ) { step in
      step.workers.run(grid.count, loop, step)
      if let conversion {
        return convert(
          conversion, ElementRow(input: step.scratch, output: step.output(0), count: count))
      }
      let results = step.output(0).assumingMemoryBound(to: UInt8.self)
      let values = step.scratch.assumingMemoryBound(to: Int32.self)
      for index in 0..<count {
        results[index] = UInt8(truncatingIfNeeded: requantize(values[index]).clamped(to: range))
      }
    }
  }

  private func grid(_ extents: ReductionLayout.OneRun, _ context: PlanContext) -> PartGrid {
    PartGrid(
      rows: extents.outer, multipleOf: 1, columns: 1, multipleOf: 1,
      multiplyAdds: extents.outer * extents.reduced * extents.inner / 4,
      threadCount: context.threadCount)
  }
}
