import OcellusKernelABI

extension Step {
  /// What one kernel call may be given: elements that take some nanoseconds each, or those of whole rows.
  static let longestSlice = 1 << 19
  /// Longer rows, which no kernel can be stopped in, are left to the loops of the reference.
  private static let longestRow = 1 << 23

  /// A step that makes each element of a node's result from the same element of an operand, in
  /// parts for the threads where there is enough to do.
  ///
  /// - Returns: `nil` for elements without addresses.
  static func elements(
    _ name: String, operand: Int = 0, _ context: PlanContext,
    _ kernel: @escaping @Sendable (ElementRow) -> Void
  ) -> Step? {
    guard let inputBytes = context.node.inputs[operand]?.type.byteWidth,
      let outputBytes = context.node.outputs[0].type.byteWidth
    else { return nil }
    let work = ElementwiseWork(
      elementCount: context.outputShapes[0].elementCount, resultBytes: outputBytes,
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

  /// A step that makes each row, along the last axis, of a node's result from the same row of its
  /// operand, some rows at a time, with working memory of its own for each thread.
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
    let rowsAtOnce = max(longestSlice / shape[-1], 1)
    // An element of a row takes about as long as eight of other functions.
    let isShared = context.threadCount > 1 && shape.elementCount >= 1 << 13
    let parts = isShared ? min(2 * context.threadCount, rowCount) : 1
    return Step(
      kernelName: name, scratchByteCount: parts * scratchByteCount, partCount: parts
    ) { step, part in
      let rows = part * rowCount / parts..<(part + 1) * rowCount / parts
      step.workers.forEachSlice(of: rows, length: rowsAtOnce) {
        body(step, $0, step.scratch + part * scratchByteCount)
      }
    }
  }

  /// A step that applies a function to floats, or a loop where the kernel does not take the arguments.
  ///
  /// - Returns: `nil` if the kernel's function is not the one to compute with.
  static func floats(
    _ function: UnaryFloatFunction, orElse loop: ElementLoop, _ context: PlanContext
  ) -> Step? {
    guard let limit = function.greatestArgument else { return floats(function, context) }
    guard let function = function.computed(context.numerics) else { return nil }
    let kernel = context.kernels.elementwise.mappedFloats
    let plain = loop.kernel(from: .float32, to: .float32)
    let extremes = context.kernels.floatRounding.extremes
    return elements("elements float32", context) { row in
      // What is no number is none of these, and stays one in kernels.
      let found = extremes(row.input.assumingMemoryBound(to: Float.self), row.count, 0)
      let isMet = -limit <= found.lowest && found.highest <= limit
      if isMet { kernel(function, row) } else { plain(row) }
    }
  }

  /// A step that applies a function of any arguments to floats.
  ///
  /// - Returns: `nil` if the kernel's function is not the one to compute with.
  static func floats(_ function: UnaryFloatFunction, _ context: PlanContext) -> Step? {
    guard let function = function.computed(context.numerics) else { return nil }
    let kernel = context.kernels.elementwise.mappedFloats
    return elements("elements float32", context) { kernel(function, $0) }
  }

  /// A step that runs a plain loop over parts of the elements.
  static func plain(_ loop: ElementLoop, _ context: PlanContext) -> Step? {
    guard let input = context.node.inputs[0]?.type, input.byteWidth != nil else { return nil }
    return elements(
      "plain \(input.name)", context, loop.kernel(from: input, to: context.node.outputs[0].type))
  }

  /// A step that brings elements to another type.
  static func conversion(_ conversion: ElementConversion, _ context: PlanContext) -> Step? {
    let kernel = context.kernels.elementwise.converted
    let name = context.node.inputs[0]?.type.name ?? ""
    return elements("\(name) to \(context.node.outputs[0].type.name)", context) {
      kernel(conversion, $0)
    }
  }

  /// A step that looks an operand's bytes up.
  static func lookUp(_ table: ByteTable, operand: Int = 0, _ context: PlanContext) -> Step? {
    let kernel = context.kernels.elementwise.lookUp
    let result = context.node.outputs[0].type
    guard let argument = context.node.inputs[operand] else { return nil }
    let line = line(table, from: argument, to: result, context)
    return elements("table \(result.name)", operand: operand, context) { row in
      table.entries.withUnsafeBufferPointer { entries in
        guard let entries = entries.baseAddress else { return }
        kernel(
          LookUpArguments(
            input: row.input.assumingMemoryBound(to: UInt8.self), table: entries, line: line,
            output: row.output.assumingMemoryBound(to: UInt8.self), count: row.count))
      }
    }
  }

  /// The form of a table that is faster to look many bytes up in, if it has it.
  private static func line(
    _ table: ByteTable, from argument: TensorSpec, to result: ElementType, _ context: PlanContext
  ) -> ByteLine? {
    // It takes about as long to find as these bytes take to be looked up.
    let fewest = 1 << 13
    guard context.kernels.elementwise.prefersLines,
      context.outputShapes[0].elementCount >= fewest
    else { return nil }
    return ByteLine(
      table, from: argument.type, to: result, zeroPoint: argument.quantization?.zeroPoint ?? 0)
  }
}

extension ElementLoop {
  /// The loop over elements of types that have a width, as kernels are called.
  fileprivate func kernel(
    from input: ElementType, to output: ElementType
  ) -> @Sendable (ElementRow) -> Void {
    let (inputBytes, outputBytes) = (input.byteWidth ?? 0, output.byteWidth ?? 0)
    // Loops go by the bytes; a shape for each part would take memory.
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
  /// How far from zero arguments may be for the kernel, if not any distance.
  fileprivate var greatestArgument: Float? {
    switch self {
    case .sine, .cosine: Self.greatestAngle
    default: nil
    }
  }

  /// The function as it is to be computed, if there is a kernel for that.
  fileprivate func computed(_ numerics: Numerics) -> Self? {
    switch (self, numerics) {
    case (.exponential, _): .exponential(numerics)
    case (.logistic, _): .logistic(numerics)
    case (.sigmoidLinear, _): .sigmoidLinear(numerics)
    case (.tanh, _): .tanh(numerics)
    case (.exponentialLinear, _): .exponentialLinear(numerics)
    // Only the C library itself has its bits.
    case (.gaussianLinear, .exact), (.gaussianErrorLinear, .exact), (.sine, .exact),
      (.cosine, .exact), (.logarithm, .exact):
      nil
    default: self
    }
  }
}
