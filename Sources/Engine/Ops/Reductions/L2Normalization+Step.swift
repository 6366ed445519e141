import OcellusKernelABI

extension L2Normalization {
  /// The number of rows of one kernel call, few enough to keep their squares in the cache.
  private static let rowsPerCall = 16

  package func plan(_ context: PlanContext) throws(ModelError) -> Step? {
    switch context.node.outputs[0].type {
    case .float32: floatStep(context)
    case .uint8: byteStep(context, of: UInt8.self)
    default: byteStep(context, of: Int8.self)
    }
  }

  /// Returns a step that squares, sums and divides some rows at a time, each by a kernel.
  private func floatStep(_ context: PlanContext) -> Step? {
    // Float sums in another order are not bit-exact.
    guard context.numerics == .fast else { return nil }
    let shape = context.outputShapes[0]
    let depth = shape[-1]
    let (elementwise, sum) = (context.kernels.elementwise, context.kernels.reductions.sumFloat)
    return .rows(
      of: shape, "row lengths float32 \(context.kernels.name)",
      scratchByteCount: ArenaPlanner.aligned(Self.rowsPerCall * 4), context
    ) { step, rows, scratch in
      let lengths = scratch.assumingMemoryBound(to: Float.self)
      for first in stride(from: rows.lowerBound, to: rows.upperBound, by: Self.rowsPerCall) {
        let count = min(rows.upperBound - first, Self.rowsPerCall)
        let input = step.input(0) + first * depth * 4
        let output = step.output(0) + first * depth * 4
        elementwise.mappedFloats(
          .square, ElementRow(input: input, output: output, count: count * depth))
        sum(
          ReductionArguments(
            input: output, output: scratch, outer: 0..<count, outerCount: count,
            reducedCount: depth, innerCount: 1, numerics: .fast))
        for row in 0..<count { lengths[row] = max(lengths[row].squareRoot(), Self.shortest) }
        elementwise.floats(
          .divide, FloatRange(),
          BinaryRows(
            first: input, second: scratch, output: output, rowLength: depth, rowCount: count,
            firstStride: depth * 4, secondStride: 4, secondIsScalar: true))
      }
    }
  }

  /// Returns a step in which a kernel scales the elements of a row as 32-bit integers.
  private func byteStep<Element: FixedWidthInteger & BitwiseCopyable & SendableMetatype>(
    _ context: PlanContext, of _: Element.Type
  ) -> Step? {
    let shape = context.outputShapes[0]
    let depth = shape[-1]
    let convert = context.kernels.elementwise.converted
    let range = QuantizedRange(
      zeroPoint: Int32(Self.center(of: Element.self)), minimum: Int32(Element.min),
      maximum: Int32(Element.max))
    return .rows(
      of: shape, "row lengths \(context.node.outputs[0].type.name) \(context.kernels.name)",
      scratchByteCount: ArenaPlanner.aligned(depth * 4), context
    ) { step, rows, scratch in
      let numbers = scratch.assumingMemoryBound(to: Int32.self)
      for row in rows {
        let elements = Row(
          start: UnsafeMutableRawPointer(mutating: step.input(0) + row * depth)
            .assumingMemoryBound(to: Element.self), count: depth)
        guard let inverse = inverseLength(of: elements, nil) else { return }
        for index in elements.indices { numbers[index] = number(elements[index]) }
        let result = FixedPointResult(
          multiplier: inverse.fraction, exponent: Int32(inverse.exponent), range: range,
          isBounded: false)
        convert(
          .scaleSums(zeroPoint: 0, result),
          ElementRow(input: scratch, output: step.output(0) + row * depth, count: depth))
      }
    }
  }
}
