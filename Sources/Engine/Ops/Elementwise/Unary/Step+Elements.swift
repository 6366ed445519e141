import OcellusKernelABI

extension Step {
  /// The most elements of one kernel call, which cannot be stopped; each takes some nanoseconds.
  static let longestSlice = 1 << 19
  /// The longest row for kernels, which cannot be stopped within a row; longer rows take the
  /// reference loops.
  private static let longestRow = 1 << 23

  /// Returns a step that computes each element of a node's result from the same element of an
  /// operand.
  ///
  /// The elements are divided among the threads if there are enough of them.
  ///
  /// - Returns: `nil` for elements without addresses.
  static func elements(
    _ name: String, operand: Int = 0, longestSlice: Int = Step.longestSlice,
    _ context: PlanContext, _ kernel: @escaping @Sendable (ElementRow) -> Void
  ) -> Step? {
    guard let inputBytes = context.node.inputs[operand]?.type.byteWidth,
      let outputBytes = context.node.outputs[0].type.byteWidth
    else { return nil }
    let work = ElementwiseWork(
      elementCount: context.outputShapes[0].elementCount, longestSlice: longestSlice,
      resultBytes: outputBytes,
      operandBytes: [Int](repeating: 0, count: operand) + [inputBytes]
    ) { step, elements, _ in
      kernel(
        ElementRow(
          input: step.input(operand) + elements.lowerBound * inputBytes,
          output: step.output(0) + elements.lowerBound * outputBytes, count: elements.count))
    }
    return Step(
      kernelName: "\(name) \(context.kernels.name)", work, threadCount: context.threadCount)
  }

  /// Returns a step that computes each row, along the last axis, of a result from the same row of
  /// the operand.
  ///
  /// Each call gets several rows. Each work item has its own scratch memory.
  ///
  /// - Returns: `nil` for rows that are too long.
  static func rows(
    of shape: Shape, _ name: String, scratchByteCount: Int = 0, _ context: PlanContext,
    _ body:
      @escaping @Sendable (
        _ step: StepContext, _ rows: Range<Int>, _ scratch: UnsafeMutableRawPointer
      ) -> Void
  ) -> Step? {
    guard shape[-1] <= longestRow else { return nil }
    let rowCount = shape.elementCount / shape[-1]
    let rowsPerCall = max(longestSlice / shape[-1], 1)
    // An element of a row function takes about as long as eight elements of other functions.
    let isShared = context.threadCount > 1 && shape.elementCount >= 1 << 13
    let itemCount = isShared ? min(2 * context.threadCount, rowCount) : 1
    return Step(
      kernelName: name, scratchByteCount: itemCount * scratchByteCount, itemCount: itemCount
    ) { step, item in
      let rows = item * rowCount / itemCount..<(item + 1) * rowCount / itemCount
      step.workers.forEachSlice(of: rows, length: rowsPerCall) {
        body(step, $0, step.scratch + item * scratchByteCount)
      }
    }
  }

  /// Returns a step that applies a function to floats, with a loop for arguments that the kernel
  /// does not take.
  ///
  /// - Returns: `nil` if there is no kernel for the function in the requested numerics.
  static func floats(
    _ function: UnaryFloatFunction, orElse loop: ElementLoop, _ context: PlanContext
  ) -> Step? {
    guard let function = function.computed(context.numerics) else { return nil }
    guard let limit = function.greatestArgument else { return floats(function, context) }
    let kernel = context.kernels.elementwise.mappedFloats
    let plain = loop.kernel(from: .float32, to: .float32)
    let extremes = context.kernels.floatQuantization.extremes
    return elements("elements float32", context) { row in
      // The extremes ignore NaN, which the kernels preserve.
      let found = extremes(row.input.assumingMemoryBound(to: Float.self), row.count, 0)
      let isMet = -limit <= found.lowest && found.highest <= limit
      if isMet { kernel(function, row) } else { plain(row) }
    }
  }

  /// Returns a step that applies a function to floats, for functions whose kernels take any
  /// argument.
  ///
  /// - Returns: `nil` if there is no kernel for the function in the requested numerics.
  static func floats(_ function: UnaryFloatFunction, _ context: PlanContext) -> Step? {
    guard let function = function.computed(context.numerics) else { return nil }
    let kernel = context.kernels.elementwise.mappedFloats
    return elements("elements float32", context) { kernel(function, $0) }
  }

  /// Returns a step that runs a reference loop over slices of the elements.
  ///
  /// An element may take a third of a microsecond: the runtime library converts half-precision
  /// floats.
  static func plain(_ loop: ElementLoop, _ context: PlanContext) -> Step? {
    guard let input = context.node.inputs[0]?.type, input.byteWidth != nil else { return nil }
    return elements(
      "plain \(input.name)", longestSlice: StoppableWork.workBetweenPolls, context,
      loop.kernel(from: input, to: context.node.outputs[0].type))
  }

  /// Returns a step that converts elements to another type.
  static func conversion(_ conversion: ElementConversion, _ context: PlanContext) -> Step? {
    let kernel = context.kernels.elementwise.converted
    let name = context.node.inputs[0]?.type.name ?? ""
    return elements("\(name) to \(context.node.outputs[0].type.name)", context) {
      kernel(conversion, $0)
    }
  }

  /// Returns a step that looks up an operand's bytes in a table.
  static func lookUp(_ table: ByteTable, operand: Int = 0, _ context: PlanContext) -> Step? {
    let kernel = context.kernels.elementwise.lookUp
    let result = context.node.outputs[0].type
    guard let argument = context.node.inputs[operand] else { return nil }
    let affineTable = affineTable(table, from: argument, to: result, context)
    return elements("table \(result.name)", operand: operand, context) { row in
      table.entries.withUnsafeBufferPointer { entries in
        guard let entries = entries.baseAddress else { return }
        kernel(
          LookUpArguments(
            input: row.input.assumingMemoryBound(to: UInt8.self), table: entries,
            affineTable: affineTable,
            output: row.output.assumingMemoryBound(to: UInt8.self), count: row.count))
      }
    }
  }

  /// Returns the affine form of a table, if it has one and look-ups of many bytes are faster with
  /// it.
  private static func affineTable(
    _ table: ByteTable, from argument: TensorSpec, to result: ElementType, _ context: PlanContext
  ) -> AffineTable? {
    // Finding it takes about as long as looking up this many bytes.
    let minimumCount = 1 << 13
    guard context.kernels.elementwise.prefersAffineTables,
      context.outputShapes[0].elementCount >= minimumCount
    else { return nil }
    return AffineTable(
      table, from: argument.type, to: result, zeroPoint: argument.quantization?.zeroPoint ?? 0)
  }
}

extension ElementLoop {
  /// Returns the loop as a kernel function, for element types with a byte width.
  fileprivate func kernel(
    from input: ElementType, to output: ElementType
  ) -> @Sendable (ElementRow) -> Void {
    let (inputBytes, outputBytes) = (input.byteWidth ?? 0, output.byteWidth ?? 0)
    // Loops count by bytes; a shape for each slice would take memory.
    let noShape = Shape([])
    return { row in
      apply(
        TensorView(
          type: input, shape: noShape,
          bytes: .init(
            start: UnsafeMutableRawPointer(mutating: row.input), count: row.count * inputBytes)),
        TensorView(
          type: output, shape: noShape,
          bytes: .init(start: row.output, count: row.count * outputBytes)))
    }
  }
}

extension UnaryFloatFunction {
  /// The greatest magnitude of arguments that the kernel takes, if there is a limit.
  fileprivate var greatestArgument: Float? {
    switch self {
    case .sine(.fast), .cosine(.fast): Self.greatestAngle
    default: nil
    }
  }

  /// Returns the function with the given numerics, if there is a kernel for it.
  fileprivate func computed(_ numerics: Numerics) -> Self? {
    switch (self, numerics) {
    case (.exponential, _): .exponential(numerics)
    case (.logistic, _): .logistic(numerics)
    case (.sigmoidLinear, _): .sigmoidLinear(numerics)
    case (.tanh, _): .tanh(numerics)
    case (.exponentialLinear, _): .exponentialLinear(numerics)
    // Only the C library itself gives bit-exact results.
    case (.gaussianLinear, .exact), (.gaussianErrorLinear, .exact), (.sine, .exact),
      (.cosine, .exact), (.logarithm, .exact):
      nil
    case (.gaussianLinear, _): .gaussianLinear(numerics)
    case (.gaussianErrorLinear, _): .gaussianErrorLinear(numerics)
    case (.hardSwish, _): .hardSwish(numerics)
    case (.sine, _): .sine(numerics)
    case (.cosine, _): .cosine(numerics)
    case (.logarithm, _): .logarithm(numerics)
    default: self
    }
  }
}
