import OcellusModelFile

/// STABLEHLO_RNG_BIT_GENERATOR: random bits, and the state of the generator after them.
package struct RandomBits: Operator {
  package static let definition = OperatorDefinition(
    "STABLEHLO_RNG_BIT_GENERATOR", types: [.uint64]
  ) { node throws(ModelError) in try Self(node) }

  private enum Algorithm: Int {
    /// Philox, as in the official runtime.
    case automatic = 0
    case philox = 1
    case threefry = 2
  }

  private let algorithm: Algorithm
  private let stateShape: Shape
  private let bitsShape: Shape

  private init(_ node: NodeSpec) throws(ModelError) {
    try node.requireOperands(1, outputs: 2)
    _ = try node.input(0)
    let (state, bits) = (try node.output(0), try node.output(1))
    try node.require(state, .uint64)
    try node.require(bits, .int32, .int64, .uint32, .uint64)
    algorithm = try node.options2(BuiltinOptions2Tag.stablehloRngBitGenerator)
      .choice(0, of: Algorithm.self, named: "the algorithm")
    (stateShape, bitsShape) = (state.shape, bits.shape)
  }

  package func outputShapes(_ context: ShapeContext) throws(ModelError) -> [Shape] {
    let shape = context.shape(0)
    try context.require(shape == stateShape, "the old and the new state have different shapes")
    let counts = algorithm == .threefry ? 2...2 : 2...3
    try context.require(
      shape.rank == 1 && counts.contains(shape[0]), "the state must be a vector of \(counts)")
    return [shape, bitsShape]
  }

  // An estimate of the cost of the rounds per number of a block.
  package func multiplyAdds(_ context: ShapeContext) -> Int {
    bitsShape.elementCount.multipliedReportingOverflow(by: 8).partialValue
  }

  package func run(_ context: RunContext) {
    let (input, state) = (context.input(0), context.output(0))
    input.copyBytes(to: state)
    let words = state.values(UInt32.self)
    let bits = context.output(1).values(UInt32.self)
    let key: SIMD2 = [words[0], words[1]]
    // The third number of the state, if there is one, is the upper half of the Philox counter.
    let upper = words.count > 4 ? 4 : 0
    var counter: SIMD4 = [words[2], words[3], words[upper], words[upper + 1]]
    let blockLength = algorithm == .threefry ? 2 : 4
    for chunk in context.chunks(of: (bits.count + blockLength - 1) / blockLength, workOfEach: 32) {
      for start in stride(
        from: chunk.lowerBound * blockLength, to: chunk.upperBound * blockLength, by: blockLength)
      {
        if algorithm == .threefry {
          store(Threefry.block(key: key, counter: counter.lowHalf), in: bits, at: start)
        } else {
          store(Philox.block(key: key, counter: counter), in: bits, at: start)
        }
        counter[0] &+= 1
        if counter[0] == 0 { counter[1] &+= 1 }
      }
    }
    (words[2], words[3]) = (counter[0], counter[1])
  }

  private func store<Block: SIMD<UInt32>>(
    _ block: Block, in bits: UnsafeMutableBufferPointer<UInt32>, at start: Int
  ) {
    for index in 0..<min(Block.scalarCount, bits.count - start) {
      bits[start + index] = block[index]
    }
  }
}
