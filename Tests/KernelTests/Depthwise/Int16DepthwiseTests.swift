import OcellusKernelABI
import OcellusKernelDispatch
import OcellusTestSupport
import Testing

/// Depthwise convolutions of 16-bit activations, checked against 64-bit sums and the official
/// fixed-point scaling.
@Suite struct Int16DepthwiseTests {
  @Test func windows() {
    for (seed, geometry) in convolutionGeometries.enumerated() {
      let problem = Problem(geometry, seed: UInt64(seed))
      let want = problem.results()
      for table in tables {
        for strategy in table.int16Depthwise.accepting(geometry) {
          let what = "\(geometry.description), \(strategy.name) on \(table.name)"
          #expect(problem.run(strategy.kernel) == want, "\(what)")
          #expect(problem.run(strategy.kernel, block: 7) == want, "\(what), in blocks")
        }
      }
    }
  }

  /// Operands of two images drawn from a seed.
  private struct Problem {
    var geometry: PatchGeometry
    var input: [Int16]
    var filter: [Int8]
    var bias: [Int64]
    var multipliers: [Int32]
    var shifts: [Int32]
    var taps: Int { geometry.windowHeight * geometry.windowWidth }
    var pixels: Int { 2 * geometry.outputHeight * geometry.outputWidth }

    init(_ geometry: PatchGeometry, seed: UInt64) {
      var random = SeededGenerator(seed: seed)
      self.geometry = geometry
      input = (0..<2 * geometry.inputHeight * geometry.inputWidth * geometry.channels).map { _ in
        .random(in: .min ... .max, using: &random)
      }
      filter = (0..<geometry.depth).map { _ in .random(in: .min ... .max, using: &random) }
      bias = (0..<geometry.channels).map { _ in .random(in: -1 << 20...1 << 20, using: &random) }
      multipliers = bias.map { _ in .random(in: 1 << 30 ... .max, using: &random) }
      shifts = bias.map { _ in .random(in: -12 ... -4, using: &random) }
    }

    func results() -> [Int16] {
      (0..<pixels).flatMap { pixel in
        let places = geometry.taps(of: pixel)
        return (0..<geometry.channels).map { channel in
          var sum = bias[channel]
          for (tap, place) in places.enumerated() {
            guard let place else { continue }
            sum +=
              Int64(input[place + channel]) * Int64(filter[tap * geometry.channels + channel])
          }
          let scaled = OfficialRounding.scale(
            sum, multiplier: multipliers[channel], shift: shifts[channel])
          return Int16(min(max(scaled, -32768), 32000))
        }
      }
    }

    func run(_ kernel: Int16Depthwise, block: Int = .max) -> [Int16] {
      let input = GuardedMemory(self.input)
      let filter = GuardedMemory(self.filter)
      let bias = GuardedMemory(self.bias)
      let multipliers = GuardedMemory(self.multipliers.map(OfficialRounding.reduced))
      let rightShifts = GuardedMemory(shifts.map { 15 - $0 })
      let packed = GuardedMemory<UInt8>(
        count: kernel.packedByteCount(geometry.channels, taps), filledWith: 0xAA)
      kernel.pack(
        Int16DepthwisePackingArguments(
          filter: filter.start, bias: bias.start,
          requantization: .sums64(multipliers: multipliers.start, rightShifts: rightShifts.start),
          channels: geometry.channels, taps: taps, packed: packed.start))
      let scratch = GuardedMemory<UInt8>(
        count: kernel.scratchByteCount(geometry), filledWith: 0xAA)
      let output = GuardedMemory<Int16>(count: pixels * geometry.channels, filledWith: 0)
      let step = min(block, pixels)
      for pixel in stride(from: 0, to: pixels, by: step) {
        kernel.run(
          WindowBlock(
            patches: geometry, input: input.start, packed: packed.start, output: output.start,
            pixels: pixel..<min(pixel + step, pixels),
            epilogue: QuantizedRange(zeroPoint: 0, minimum: -32768, maximum: 32000),
            scratch: scratch.start))
      }
      return output.elements
    }
  }
}
