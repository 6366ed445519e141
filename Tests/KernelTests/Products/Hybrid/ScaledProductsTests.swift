import OcellusKernelABI
import OcellusKernelDispatch
import OcellusTestSupport
import Testing

@Suite struct ScaledProductsTests {
  /// Every product is scaled twice before it is added, against a plain loop.
  @Test(arguments: tables.indices)
  func sumsOfScaledProducts(table: Int) {
    let kernel = tables[table].scaledProducts
    for columns in [1, 3, 8, 16, 17, 40, 64, 70] {
      for runLength in [1, 5, 16] {
        var random = SeededGenerator(seed: UInt64(columns * 100 + runLength))
        let width =
          (columns + kernel.panelColumns - 1) / kernel.panelColumns * kernel.panelColumns
        func row(_ values: [Float]) -> [Float] {
          values + [Float](repeating: 0, count: width - columns)
        }
        let bytes = random.bytes(4 * runLength, isSigned: true).map { Int8(bitPattern: $0) }
        let weights = (0..<3 * runLength).map { _ in
          random.bytes(columns, isSigned: true).map { Float(Int8(bitPattern: $0)) }
        }
        let scales = random.floats(columns), bias = random.floats(columns)
        let runs = [
          ScaledProductRun(input: 2 * runLength, weightRow: 0),
          ScaledProductRun(input: 0, weightRow: 2 * runLength),
        ]
        let rounding = RowRounding(scale: 0.0173, zeroPoint: -57)
        let want = (0..<columns).map { column -> Float in
          var sum: Float = 0
          for run in runs {
            for index in 0..<runLength {
              let x = Float(Int32(bytes[run.input + index]) - rounding.zeroPoint)
              sum += x * weights[run.weightRow + index][column] * scales[column] * rounding.scale
            }
          }
          return min(max(sum + bias[column], -900), 2)
        }
        let input = GuardedMemory(bytes)
        let packed = GuardedMemory(weights.flatMap { row($0) })
        let factors = GuardedMemory(row(scales)), biases = GuardedMemory(row(bias))
        let output = GuardedMemory<Float>(count: columns, filledWith: .nan)
        runs.withUnsafeBufferPointer { runs in
          kernel.run(
            ScaledProductArguments(
              input: input.start, rounding: rounding, runs: runs, runLength: runLength,
              weights: packed.start, scales: factors.start, bias: biases.start, columns: columns,
              minimum: -900, maximum: 2, output: output.start))
        }
        #expect(output.elements == want, "\(columns) columns, runs of \(runLength)")
      }
    }
  }
}
