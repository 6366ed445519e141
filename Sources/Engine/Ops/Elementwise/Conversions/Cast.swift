import OcellusKernelABI

/// CAST: converts numbers to another type.
///
/// Conversion of floats to integers truncates and saturates, and maps NaN to the greatest integer.
/// Integers wrap. `bool` tells whether a number is not zero. Complex numbers lose their imaginary
/// part.
package struct Cast: Operator {
  package static let definition = OperatorDefinition(
    "CAST", versions: 1...9, types: plainTypes + packedTypes,
    make: { node throws(ModelError) in try Self(node) })

  private static let plainTypes: [ElementType] = [
    .float32, .float16, .bfloat16, .float64, .int8, .uint8, .int16, .uint16, .int32, .uint32,
    .int64, .bool, .complex64,
  ]
  /// The types that can be cast to and from `float32` only.
  private static let packedTypes: [ElementType] = [.int2, .int4, .uint4]

  init(_ node: NodeSpec) throws(ModelError) {
    try node.requireAllOperands(1)
    let (input, output) = (try node.input(0).type, try node.output(0).type)
    let isKnown =
      Self.plainTypes.contains(input) && Self.plainTypes.contains(output)
      || Self.packedTypes.contains(input) && output == .float32
      || Self.packedTypes.contains(output) && input == .float32
    guard isKnown else {
      throw node.unsupported("\(input.name) cannot be cast to \(output.name)")
    }
  }

  package func outputShapes(_ context: ShapeContext) throws(ModelError) -> [Shape] {
    [context.shape(0)]
  }

  package func run(_ context: RunContext) throws(ModelError) {
    let (input, output) = (context.input(0), context.output(0))
    if input.type == output.type {
      input.copyBytes(to: output)
    } else if Self.packedTypes.contains(input.type) {
      let target = output.values(Float.self)
      try context.withUnpackedElements(of: input) { elements in
        for chunk in output.chunks(of: elements.count) {
          for index in chunk { target[index] = Float(elements[index]) }
        }
      }
    } else if Self.packedTypes.contains(output.type) {
      try Self.pack(input.values(Float.self), in: output, context)
    } else {
      Self.castByChunks(input, to: output)
    }
  }

  package func plan(_ context: PlanContext) throws(ModelError) -> Step? {
    guard let input = context.node.inputs[0]?.type else { return nil }
    let output = context.node.outputs[0].type
    if input == output { return .copy(context) }
    switch (input, output) {
    case (.int8, .float32), (.uint8, .float32), (.int16, .float32):
      guard let element = QuantizedElement(input) else { return nil }
      return .conversion(.dequantize(element, scale: 1, zeroPoint: 0), context)
    case (.int32, .float32): return .conversion(.integersToFloats, context)
    case (.float32, .int32): return .conversion(.floatsToIntegers, context)
    case (.float16, .float32): return .conversion(.widenHalves, context)
    case (.float32, .int8), (.float32, .uint8), (.float32, .int16), (.float32, .bool),
      (.bool, .float32), (.int64, .int8), (.int64, .uint8), (.int64, .int16), (.int64, .int32):
      return Self.cast(input, output, context)
    case (.bool, _), (.int8, _), (.uint8, _), (.int16, _), (.int32, _):
      return Self.cast(input, output, context) ?? Self.plainStep(context)
    case (let packed, _) where Self.packedTypes.contains(packed): return nil
    case (_, let packed) where Self.packedTypes.contains(packed): return nil
    default: return Self.plainStep(context)
    }
  }

  private static func plainStep(_ context: PlanContext) -> Step? {
    .plain(ElementLoop(mapping: .body(castByChunks)), context)
  }

  /// Returns a step on the tuned kernels; `nil` for types without kernels.
  private static func cast(
    _ input: ElementType, _ output: ElementType, _ context: PlanContext
  ) -> Step? {
    guard let source = PlainElement(input), let target = PlainElement(output) else { return nil }
    return .conversion(.cast(from: source, to: target), context)
  }

  private static func pack(
    _ reals: UnsafeMutableBufferPointer<Float>, in output: TensorView, _ context: RunContext
  ) throws(ModelError) {
    let range: ClosedRange<Float> =
      switch output.type {
      case .int2: -2...1
      case .int4: -8...7
      default: 0...15
      }
    try context.withScratch(Int8.self, count: reals.count) { elements in
      for chunk in output.chunks(of: reals.count) {
        for index in chunk {
          let real = reals[index]
          elements[index] = real.isNaN ? Int8(range.upperBound) : Int8(real.clamped(to: range))
        }
      }
      PackedIntegers.pack(
        UnsafeBufferPointer(elements), as: output.type, to: output.bytes, context.control)
    }
  }

  // MARK: Plain types

  /// A number of elements that fits on the stack.
  private static let chunkLength = 128

  /// Casts through `Int64` or `Double`, which represent all numbers of the other types, a chunk at
  /// a time.
  ///
  /// This takes one loop per type instead of one per pair of types.
  private static func castByChunks(_ input: TensorView, to output: TensorView) {
    let count = input.bytes.count / (input.type.byteWidth ?? 1)
    if input.type == .int64 && output.type == .float32 {
      // The most frequent of these pairs has its own loop.
      let (source, target) = (input.values(Int64.self), output.values(Float.self))
      for chunk in output.chunks(of: count) {
        for index in chunk { target[index] = Float(source[index]) }
      }
      return
    }
    switch input.type {
    case .float32, .float16, .bfloat16, .float64, .complex64:
      withUnsafeTemporaryAllocation(of: Double.self, capacity: chunkLength) { numbers in
        forEachChunk(of: count, output) { chunk in
          input.widen(chunk, to: numbers)
          output.narrow(numbers, to: chunk)
        }
      }
    default:
      withUnsafeTemporaryAllocation(of: Int64.self, capacity: chunkLength) { numbers in
        forEachChunk(of: count, output) { chunk in
          input.widen(chunk, to: numbers)
          output.narrow(numbers, to: chunk)
        }
      }
    }
  }

  @inline(__always)
  private static func forEachChunk(
    of count: Int, _ output: TensorView, _ body: (Range<Int>) -> Void
  ) {
    for block in output.chunks(of: count) {
      for start in stride(from: block.lowerBound, to: block.upperBound, by: chunkLength) {
        body(start..<min(start + chunkLength, block.upperBound))
      }
    }
  }
}
