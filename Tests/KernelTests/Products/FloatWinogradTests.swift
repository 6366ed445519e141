import OcellusKernelABI
import OcellusKernelDispatch
import OcellusTestSupport
import Testing

/// Winograd's convolutions of floats against sums of products in double precision, and against themselves.
@Suite struct FloatWinogradTests {
  private struct Problem {
    var geometry: PatchGeometry
    var images: Int
    var columns: Int
    var input: [Float]
    var filter: [Float]
    var bias: [Float]

    /// Windows over some lines of an input, with so much padding above and to the left of it.
    init(
      _ height: Int, _ width: Int, channels: Int, columns: Int, padding: Int, images: Int,
      seed: UInt64
    ) {
      geometry = PatchGeometry(
        inputHeight: max(1, height + 1 - padding), inputWidth: max(1, width + 2 - 2 * padding),
        channels: channels)
      geometry.pixelStride = channels + Int(seed % 3)
      (geometry.windowHeight, geometry.windowWidth) = (3, 3)
      (geometry.paddingTop, geometry.paddingLeft) = (padding, padding)
      (geometry.outputHeight, geometry.outputWidth) = (height, width)
      (self.images, self.columns) = (images, columns)
      var random = SeededGenerator(seed: seed)
      input = random.floats(
        images * geometry.inputHeight * geometry.inputWidth * geometry.pixelStride)
      filter = random.floats(columns * geometry.depth)
      bias = random.floats(columns)
    }

    var rows: Int { images * geometry.outputHeight * geometry.outputWidth }

    /// What a result should be, and the sum of the magnitudes of what is added up.
    func expected(_ row: Int, _ column: Int) -> (value: Double, magnitude: Double) {
      let pixels = geometry.outputHeight * geometry.outputWidth
      let (image, pixel) = (row / pixels, row % pixels)
      let top = pixel / geometry.outputWidth - geometry.paddingTop
      let left = pixel % geometry.outputWidth - geometry.paddingLeft
      var (value, magnitude) = (Double(bias[column]), abs(Double(bias[column])))
      for y in 0..<3 where (0..<geometry.inputHeight).contains(top + y) {
        for x in 0..<3 where (0..<geometry.inputWidth).contains(left + x) {
          let line = image * geometry.inputHeight + top + y
          let source = (line * geometry.inputWidth + left + x) * geometry.pixelStride
          let weights = column * geometry.depth + (3 * y + x) * geometry.channels
          for channel in 0..<geometry.channels {
            let product = Double(input[source + channel]) * Double(filter[weights + channel])
            value += product
            magnitude += abs(product)
          }
        }
      }
      return (value, magnitude)
    }

    /// Runs the kernel, so many lines and panels at a time.
    func run(
      _ kernel: FloatGEMM, range: ClosedRange<Float> = -Float.infinity...Float.infinity,
      lines: Int = 1 << 20, panels: Int = 1 << 20
    ) -> [Float] {
      let input = GuardedMemory(self.input), filter = GuardedMemory(self.filter)
      let bias = GuardedMemory(self.bias)
      let packed = GuardedMemory<UInt8>(
        count: kernel.packedByteCount(columns, geometry.depth), filledWith: 0xFF)
      kernel.pack(
        FloatPackingArguments(
          filter: filter.start, bias: bias.start, columns: columns, depth: geometry.depth,
          packed: packed.start))
      let scratch = GuardedMemory<UInt8>(
        count: kernel.scratchByteCount(geometry), filledWith: 0xFF)
      let output = GuardedMemory<Float>(count: rows * columns, filledWith: .nan)
      let rowStep = min(lines * geometry.outputWidth, rows)
      let columnStep = min(panels * kernel.panelColumns, columns)
      for row in stride(from: 0, to: rows, by: rowStep) {
        for column in stride(from: 0, to: columns, by: columnStep) {
          kernel.run(
            ProductBlock(
              patches: geometry, input: input.start, packed: packed.start, output: output.start,
              outputStride: columns, rows: row..<min(row + rowStep, rows),
              columns: column..<min(column + columnStep, columns),
              finish: FloatFinish(
                minimum: range.lowerBound, maximum: range.upperBound, numerics: .fast),
              scratch: scratch.start))
        }
      }
      return output.elements
    }
  }

  private static let sizes = [
    (2, 2, 16, 16), (2, 5, 17, 24), (3, 2, 16, 17), (5, 4, 21, 31), (6, 9, 40, 16),
    (7, 7, 64, 21), (11, 16, 18, 40), (23, 31, 16, 19), (9, 20, 130, 33), (8, 8, 400, 16),
  ]

  /// All instruction sets have the same bits, however the work is split.
  @Test func convolutions() {
    for (seed, (height, width, channels, columns)) in Self.sizes.enumerated() {
      let problem = Problem(
        height, width, channels: channels, columns: columns, padding: seed % 3,
        images: 1 + seed % 2, seed: UInt64(seed))
      var first: [UInt32]?
      for table in tables {
        guard let kernel = table.floatWinograd else {
          // All others have fused products.
          #expect(table.name == "baseline")
          continue
        }
        let what = "\(problem.geometry.description), \(columns) columns, \(table.name)"
        let got = problem.run(kernel)
        for (index, number) in got.enumerated() where index % 7 == 0 || index < 64 {
          let want = problem.expected(index / columns, index % columns)
          #expect(abs(Double(number) - want.value) <= 1e-6 * want.magnitude, "\(what), \(index)")
        }
        let bits = got.map(\.bitPattern)
        #expect(bits == first ?? bits, "\(what)")
        first = bits
        #expect(problem.run(kernel, lines: 3, panels: 1).map(\.bitPattern) == bits, "\(what)")
        #expect(problem.run(kernel, lines: 1, panels: 2).map(\.bitPattern) == bits, "\(what)")
        let clamped = problem.run(kernel, range: -0.5...0.75)
        #expect(clamped == got.map { min(0.75, max(-0.5, $0)) }, "\(what)")
      }
    }
  }
}
