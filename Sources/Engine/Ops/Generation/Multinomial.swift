import OcellusPlatform

/// MULTINOMIAL: random classes with probabilities proportional to the exponentials of their logits.
package struct Multinomial: Operator {
  package static let definition = OperatorDefinition(
    "MULTINOMIAL", types: [.float32], make: { node throws(ModelError) in try Self(node) })

  package let shapeInputs = [1]
  package let traits: OperatorTraits = .stateful
  private let source: RandomSource

  init(_ node: NodeSpec) throws(ModelError) {
    try node.requireAllOperands(2)
    try node.require(try node.input(1), .int32)
    try node.require(try node.output(0), .int32, .int64)
    source = try RandomSource(node)
  }

  package func outputShapes(_ context: ShapeContext) throws(ModelError) -> [Shape] {
    let logits = context.shape(0)
    try context.require(logits.rank == 2 && logits[1] > 0, "the logits must be rows of classes")
    try context.require(context.shape(1).rank == 0, "the number of samples must be a scalar")
    return [[logits[0], try context.integers(1)[0]]]
  }

  package func multiplyAdds(_ context: ShapeContext) -> Int {
    guard let sampleCount = context.value(1)?.integers.first else { return 0 }
    let logits = context.shape(0)
    return saturatingProduct(logits[0], logits[1] + max(sampleCount, 0))
  }

  package func run(_ context: RunContext) throws(ModelError) {
    let output = context.output(0)
    let position = source.sequence(context)
    if output.type == .int32 {
      try Self.draw(context, as: Int32.self, position.sequence)
    } else {
      try Self.draw(context, as: Int64.self, position.sequence)
    }
    // TensorFlow's generator skips this many blocks, which it reserves for the worst case.
    let (rows, samples) = (UInt64(output.shape[0]), UInt64(output.shape[1]))
    position.sequence.skip(rows &* ((samples + 3) / 4 * 4) &* 2 &* 256)
  }

  private static func draw<Class: FixedWidthInteger & BitwiseCopyable>(
    _ context: RunContext, as _: Class.Type, _ start: PhiloxSequence
  ) throws(ModelError) {
    let (logits, output) = (context.input(0), context.output(0))
    let (rowCount, sampleCount) = (output.shape[0], output.shape[1])
    let (scores, classes) = (logits.values(Float.self), output.values(Class.self))
    let classCount = logits.shape[1]
    try context.withScratch(Double.self, count: classCount) { sums throws(ModelError) in
      var sequence = start
      var block = SIMD4<UInt32>()
      var drawn = 0
      for row in 0..<rowCount {
        try context.checkpoint()
        addOdds(
          Row(rebasing: scores[row * classCount..<(row + 1) * classCount]), to: sums, context)
        for chunk in context.chunks(of: sampleCount, workOfEach: 32) {
          for sample in chunk {
            // A sample takes half a block.
            let isFirstHalf = drawn % 2 == 0
            if isFirstHalf { block = sequence.next() }
            drawn += 1
            let half = isFirstHalf ? block.lowHalf : block.highHalf
            let target = Double(randomBits: half[0], half[1]) * (sums.last ?? 0)
            classes[row * sampleCount + sample] = Class(sums.firstIndex(above: target))
          }
        }
      }
    }
  }

  /// Computes cumulative sums of the exponentials; logits that are not finite count as zero.
  private static func addOdds(_ logits: Row<Float>, to sums: Row<Double>, _ context: RunContext) {
    var largest = -Float.greatestFiniteMagnitude
    for chunk in context.chunks(of: logits.count) {
      for index in chunk where logits[index].isFinite { largest = max(largest, logits[index]) }
    }
    var sum = 0.0
    for chunk in context.chunks(of: logits.count, workOfEach: 8) {
      for index in chunk {
        if logits[index].isFinite { sum += exp(Double(logits[index]) - Double(largest)) }
        sums[index] = sum
      }
    }
  }
}

extension Row<Double> {
  /// Returns the index of the first of ascending elements that is greater than a number, or the
  /// end.
  fileprivate func firstIndex(above number: Double) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if self[middle] > number { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
