import OcellusKernelABI
import OcellusKernelDispatch
import OcellusTestSupport
import Testing

/// GEMMs with bfloat16 factors, checked to the bit against the rules that the page "Bfloat16
/// numerics" states, computed here one product at a time.
@Suite struct BFloat16GEMMTests {
  typealias Problem = FloatGEMMTests.Problem

  @Test func matricesOfAwkwardSizes() {
    FloatGEMMTests.forEachMatrix { $0.checkBFloat16($1) }
  }

  @Test func convolutions() {
    FloatGEMMTests.forEachConvolution { $0.checkBFloat16($1) }
  }

  /// A group reads some channels of every pixel, and those beside them change nothing.
  @Test func groups() {
    for (channels, stride) in [(1, 3), (5, 8), (16, 48), (33, 40)] {
      var geometry = PatchGeometry(inputHeight: 5, inputWidth: 6, channels: channels)
      geometry.pixelStride = stride
      (geometry.windowHeight, geometry.windowWidth) = (3, 3)
      (geometry.paddingTop, geometry.paddingLeft) = (1, 1)
      var problem = Problem(geometry, images: 2, columns: 19, seed: UInt64(channels))
      for pixel in 0..<problem.input.count / stride {
        for channel in channels..<stride { problem.input[pixel * stride + channel] = .nan }
      }
      problem.checkBFloat16("\(channels) of \(stride) channels")
    }
  }

  /// Zeros of both signs, numbers that are subnormal or around 2⁻⁵⁶, ties, numbers that become
  /// infinite, infinities and NaN of all kinds.
  @Test func unusualNumbers() {
    let unusual: [Float] = [
      0, -0.0, 0x1p-149, -0x1p-127, 0x1p-126, 0x1p-57, 0x1.fffffep-57, -0x1p-56, 0x1.01p-56,
      0x1.01p0, -0x1.03p0, 0x1.00fffep0, 0x1.010002p0, 0x1.fffffep126, 0x1.fefffep127, 0x1.ffp127,
      .greatestFiniteMagnitude, .infinity, -.infinity, .nan, Float(bitPattern: 0x7F80_0001),
      Float(bitPattern: 0xFFFF_FFFF), Float(bitPattern: 0xFF80_8000), 0x1p64, -0x1p64, 0x1p-63,
    ]
    for seed in 0..<400 as Range<UInt64> {
      var random = SeededGenerator(seed: seed)
      let depth = awkwardSizes.randomElement(using: &random) ?? 1
      var problem = Problem(
        PatchGeometry(matrixOf: 7, depth: depth), columns: 18, seed: seed)
      (problem.minimum, problem.maximum) = (-.infinity, .infinity)
      // Of many infinite terms, only NaN would be left.
      for _ in 0..<Int.random(in: 1...9, using: &random) {
        let number = unusual.randomElement(using: &random) ?? 0
        if Bool.random(using: &random) {
          problem.input[Int.random(in: problem.input.indices, using: &random)] = number
        } else {
          problem.filter[Int.random(in: problem.filter.indices, using: &random)] = number
        }
      }
      problem.bias[Int.random(in: problem.bias.indices, using: &random)] =
        unusual.randomElement(using: &random) ?? 0
      problem.checkBFloat16("depth \(depth), seed \(seed)")
    }
  }

  /// Terms of very different magnitudes, whose sums depend on the order and on every rounding.
  @Test func sumsThatDependOnTheirOrder() {
    for seed in 0..<60 as Range<UInt64> {
      var random = SeededGenerator(seed: seed)
      let depth = Int.random(in: 1...200, using: &random)
      var problem = Problem(PatchGeometry(matrixOf: 5, depth: depth), columns: 9, seed: seed)
      (problem.minimum, problem.maximum) = (-.infinity, .infinity)
      func spread(_ numbers: inout [Float]) {
        for index in numbers.indices {
          let exponent = Int.random(in: -62...40, using: &random)
          numbers[index] *= Float(sign: .plus, exponent: exponent, significand: 1)
        }
      }
      spread(&problem.input)
      spread(&problem.filter)
      problem.checkBFloat16("depth \(depth), seed \(seed)")
    }
  }

  /// A product beyond the range of floats in a sum that is within it.
  @Test func aProductMayBeGreaterThanTheSum() {
    var problem = Problem(PatchGeometry(matrixOf: 1, depth: 3), columns: 1, seed: 0)
    (problem.minimum, problem.maximum) = (-.infinity, .infinity)
    problem.input = [-0x1.8p64, 0, 0x1p64]
    problem.filter = [0x1p63, 0, 0x1p64]
    problem.bias = [0]
    #expect(problem.resultsOfBFloat16() == [0x1p126])
    problem.checkBFloat16("a product of 2¹²⁸")
  }

  /// Kernels are compared before the first use of a matrix unit; a single wrong bit is noticed, and
  /// so is another order of the sums.
  @Test func otherBitsAreNoticed() throws {
    for table in tables {
      let kernels = table.bfloat16GEMM.strategies.map(\.kernel)
      let last = try #require(kernels.last)
      for kernel in kernels { #expect(kernel.hasBits(of: last), "\(table.name)") }
      let others = table.floatGEMM.strategies.last
      #expect(try !#require(others).kernel.hasBits(of: last), "\(table.name)")
      var faulty = last
      faulty.run = { block in
        last.run(block)
        let output = block.output.assumingMemoryBound(to: UInt32.self)
        output[block.outputStride + 1] ^= 1
      }
      #expect(!faulty.hasBits(of: last), "\(table.name)")
    }
  }
}

extension FloatGEMMTests.Problem {
  /// Returns the results by the rules, with the bias added last.
  fileprivate func resultsOfBFloat16() -> [Float] {
    let input = input.map(BFloat16Arithmetic.rounded)
    let filter = filter.map(BFloat16Arithmetic.rounded)
    return (0..<rows).flatMap { row in
      let patch = geometry.taps(of: row).flatMap { place in
        (0..<geometry.channels).map { channel in place.map { input[$0 + channel] } ?? 0 }
      }
      return (0..<columns).map { column in
        let sum = BFloat16Arithmetic.sum(
          of: geometry.depth, inRunsOf: geometry.windowWidth * geometry.channels
        ) { (patch[$0], filter[column * geometry.depth + $0]) }
        return clamped(sum + bias[column])
      }
    }
  }

  /// Checks the bits of all strategies that accept the problem, on all tables; NaN are all alike.
  fileprivate func checkBFloat16(_ what: String) {
    func bits(_ values: [Float]) -> [UInt32] {
      values.map { $0.isNaN ? 0x7FC0_0000 : $0.bitPattern }
    }
    let expected = bits(resultsOfBFloat16())
    let problem = GEMMProblem(geometry, rows: rows, columns: columns)
    for table in tables {
      for strategy in table.bfloat16GEMM.accepting(problem) {
        let what = "\(what): \(strategy.name) on \(table.name)"
        #expect(bits(run(strategy.kernel)) == expected, "\(what)")
        #expect(
          bits(run(strategy.kernel, rowBlock: 5, panelBlock: 1)) == expected, "\(what) in blocks")
      }
    }
  }
}
