import OcellusKernelABI
import OcellusKernelDispatch
import OcellusTestSupport
import Testing

@Suite struct ScaledProductsTests {
  /// Every product is scaled twice before it is added, with the bits of a plain loop.
  @Test(arguments: tables.indices)
  func sumsOfScaledProducts(table: Int) {
    let kernel = tables[table].scaledProducts
    for columns in [1, 3, 8, 16, 17, 24, 40, 48, 64, 70] {
      for (runLength, pixels) in [(1, 1), (5, 7), (16, 2), (3, 12)] {
        var random = SeededGenerator(seed: UInt64(columns * 100 + runLength))
        let width =
          (columns + kernel.panelColumns - 1) / kernel.panelColumns * kernel.panelColumns
        func row(_ values: [Float]) -> [Float] {
          values + [Float](repeating: 0, count: width - columns)
        }
        let (inputStride, outputStride) = (runLength + 1, columns + 2)
        let steps = (0..<3 * runLength + (pixels - 1) * inputStride).map { _ in
          Float(Int.random(in: -255...255, using: &random))
        }
        let weights = (0..<3 * runLength).map { _ in
          random.bytes(columns, isSigned: true).map { Float(Int8(bitPattern: $0)) }
        }
        let scales = random.floats(columns)
        let bias = random.floats(columns)
        let runs = [
          ScaledProductSegment(input: 2 * runLength, weightRow: 0),
          ScaledProductSegment(input: 0, weightRow: 2 * runLength),
        ]
        let scale: Float = 0.0173
        func result(_ pixel: Int, _ column: Int) -> Float {
          var sum: Float = 0
          for run in runs {
            for index in 0..<runLength {
              let x = steps[run.input + pixel * inputStride + index]
              sum += x * weights[run.weightRow + index][column] * scales[column] * scale
            }
          }
          return min(max(sum + bias[column], -900), 2)
        }
        let input = GuardedMemory(steps)
        let packed = GuardedMemory(weights.flatMap { row($0) })
        let factors = GuardedMemory(row(scales))
        let biases = GuardedMemory(row(bias))
        let output = GuardedMemory<Float>(
          count: (pixels - 1) * outputStride + columns, filledWith: 7)
        runs.withUnsafeBufferPointer { runs in
          kernel.run(
            ScaledProductArguments(
              input: input.start, scale: scale, runs: runs, runLength: runLength,
              inputStride: inputStride, weights: packed.start, scales: factors.start,
              bias: biases.start, columns: columns, minimum: -900, maximum: 2, pixels: pixels,
              output: output.start, outputStride: outputStride))
        }
        let want = (0..<pixels).flatMap { pixel in
          (0..<outputStride).map { $0 < columns ? result(pixel, $0) : 7 }
        }.dropLast(outputStride - columns)
        #expect(
          output.elements == Array(want),
          "\(columns) columns, runs of \(runLength), \(pixels) pixels")
      }
    }
  }
}
