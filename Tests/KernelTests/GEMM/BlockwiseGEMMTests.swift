import OcellusKernelABI
import OcellusKernelDispatch
import OcellusTestSupport
import Testing

/// GEMMs with a scale for every block, with the bits of the official kernel's formula.
@Suite struct BlockwiseGEMMTests {
  @Test(arguments: [1, 3, 8, 20, 32], [1, 5])
  func blocksOfAnySize(blockSize: Int, blocks: Int) {
    for columns in [1, 4, 15, 16, 17, 63, 64, 65, 100] {
      let shape = BlockwiseShape(columns: columns, blocks: blocks, blockSize: blockSize)
      let problem = Problem(shape, rows: 3, seed: UInt64(columns))
      for table in tables {
        let isRight =
          problem.run(table.blockwiseGEMM).map(\.bitPattern)
          == problem.results().map(\.bitPattern)
        #expect(isRight, "\(columns) columns of \(blocks) × \(blockSize) on \(table.name)")
      }
    }
  }

  /// Operands drawn from a seed.
  private struct Problem {
    var shape: BlockwiseShape
    var rows: Int
    var input: [Int8]
    var weights: [Int8]
    var scales: [Float]
    var bias: [Float]
    var roundings: [RowQuantization]

    init(_ shape: BlockwiseShape, rows: Int, seed: UInt64) {
      var random = SeededGenerator(seed: seed)
      let depth = shape.blocks * shape.blockSize
      self.shape = shape
      self.rows = rows
      input = (0..<rows * depth).map { _ in .random(in: .min ... .max, using: &random) }
      weights = (0..<shape.columns * depth).map { _ in .random(in: -8...7, using: &random) }
      scales = random.floats(shape.columns * shape.blocks)
      bias = random.floats(shape.columns)
      roundings = random.floats(rows).map {
        RowQuantization(scale: $0, zeroPoint: .random(in: -128...127, using: &random))
      }
    }

    func results() -> [Float] {
      let depth = shape.blocks * shape.blockSize
      return (0..<rows).flatMap { row in
        (0..<shape.columns).map { column in
          var (products, weightSum) = (Float(0), Float(0))
          for block in 0..<shape.blocks {
            var (blockProducts, blockWeights) = (0, 0)
            for element in block * shape.blockSize..<(block + 1) * shape.blockSize {
              let weight = Int(weights[column * depth + element])
              blockProducts += Int(input[row * depth + element]) * weight
              blockWeights += weight
            }
            let scale = scales[column * shape.blocks + block]
            products += Float(blockProducts) * scale
            weightSum += Float(blockWeights) * scale
          }
          let rounding = roundings[row]
          return (products - Float(rounding.zeroPoint) * weightSum) * rounding.scale
            + bias[column]
        }
      }
    }

    func run(_ kernel: BlockwiseGEMM) -> [Float] {
      let input = GuardedMemory(self.input)
      let weights = GuardedMemory(self.weights)
      let scales = GuardedMemory(self.scales)
      let bias = GuardedMemory(self.bias)
      let roundings = GuardedMemory(
        count: rows, filledWith: RowQuantization(scale: 0, zeroPoint: 0))
      for (index, rounding) in self.roundings.enumerated() { roundings.start[index] = rounding }
      let packed = GuardedMemory<UInt8>(count: kernel.packedByteCount(shape), filledWith: 0xAA)
      kernel.pack(
        BlockwisePackingArguments(
          shape: shape, weights: weights.start, scales: scales.start, bias: bias.start,
          packed: packed.start))
      let scratch = GuardedMemory<UInt8>(count: kernel.scratchByteCount(shape), filledWith: 0xAA)
      let output = GuardedMemory<Float>(count: rows * shape.columns, filledWith: .nan)
      for column in stride(from: 0, to: shape.columns, by: 3 * kernel.panelColumns) {
        kernel.run(
          BlockwiseArguments(
            shape: shape, input: input.start, roundings: roundings.start, rows: rows,
            packed: packed.start, output: output.start,
            columns: column..<min(column + 3 * kernel.panelColumns, shape.columns),
            scratch: scratch.start))
      }
      return output.elements
    }
  }
}
