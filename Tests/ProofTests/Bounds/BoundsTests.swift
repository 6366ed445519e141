import OcellusAudit
import OcellusEngine
import OcellusModelFile
import OcellusProof
import OcellusTestSupport
import Testing

/// The bounds of single nodes, against numbers that were computed by hand.
///
/// Benchmarks/check_bounds.py compares thousands of drawn nodes with an interval library.
@Suite struct BoundsTests {
  private typealias Node = BoundedNode

  @Test func sumsAreWithinGammaOfTheirTerms() throws {
    // 1·3 + 2·4 + 0.5 = 11.5, and so is the sum of magnitudes: γ₃·11.5 is 2.2 units of 11.5.
    let node = Node(
      "FULLY_CONNECTED",
      reading: [Node.input([1, 2]), Node.constant([3, 4], [1, 2]), Node.constant([0.5], [1])],
      [[1, 2]], writing: [1, 1], .init(tag: BuiltinOptionsTag.fullyConnected))
    let unit: Float = 0x1p-20
    #expect(try node.ends() == ([11.5 - 2 * unit], [11.5 + 2 * unit]))
  }

  @Test func cancellationIsNoExcuseForMore() throws {
    // 10⁸ − 10⁸: two terms of a magnitude of 2·10⁸ together may leave γ₂·2·10⁸, about 23.8.
    let node = Node(
      "FULLY_CONNECTED", reading: [Node.input([1, 2]), Node.constant([1, -1], [1, 2])],
      [[1e8, 1e8]], writing: [1, 1], .init(tag: BuiltinOptionsTag.fullyConnected))
    let ends = try node.ends()
    #expect(abs(ends.high[0] - 23.84) < 0.01 && ends.low[0] == -ends.high[0])
  }

  @Test func paddingIsNotAdded() throws {
    // A window of 3×3 on a picture of 2×2 has four elements and a bias: γ₅·4 is 1.19 µ.
    let node = Node(
      "CONV_2D",
      reading: [
        Node.input([1, 2, 2, 1]), Node.constant(Array(repeating: 1, count: 9), [1, 3, 3, 1]),
        Node.constant([0], [1]),
      ], [[1, 1, 1, 1]], writing: [1, 2, 2, 1],
      .init(tag: BuiltinOptionsTag.conv2D, [1: .int32(1), 2: .int32(1)]))
    let ends = try node.ends()
    let unit: Float = 0x1p-21
    #expect(ends.high == Array(repeating: 4 + 2 * unit, count: 4))
    // Below 4, units are half as large.
    #expect(ends.low == Array(repeating: 4 - 2.5 * unit, count: 4))
  }

  @Test func basicOperationsRoundOnce() throws {
    let options = ModelWriter.Options(tag: BuiltinOptionsTag.add)
    let sum = Node(
      "ADD", reading: [Node.input([2]), Node.constant([2, 0.1], [2])], [[1, 0.2]], writing: [2],
      options)
    let ends = try sum.ends()
    #expect(ends.low[0] == 3 - 0x1p-22 && ends.high[0] == 3 + 0x1p-22)
    #expect(ends.low[1] < 0.3 && ends.high[1] >= 0.3 && ends.high[1] - ends.low[1] <= 0x1p-23)
    let relu = Node("RELU", reading: [Node.input([2])], [[-1, 0.7]], writing: [2])
    #expect(try relu.ends() == ([0, 0.7], [0, 0.7]))
  }

  @Test func activationsClampBothEnds() throws {
    let node = Node(
      "ADD", reading: [Node.input([3]), Node.constant([0, 0, 0], [3])], [[-1, 3, 9]], writing: [3],
      .init(tag: BuiltinOptionsTag.add, [0: .int8(3)]))
    let ends = try node.ends()
    #expect(ends.low[0] == 0 && ends.high[0] == 0 && ends.low[2] == 6 && ends.high[2] == 6)
    #expect(ends.low[1] < 3 && ends.high[1] > 3)
  }

  @Test func roundedFactorsWidenProducts() throws {
    var node = Node(
      "FULLY_CONNECTED", reading: [Node.input([1, 1]), Node.constant([1], [1, 1])], [[1]],
      writing: [1, 1], .init(tag: BuiltinOptionsTag.fullyConnected))
    node.arithmetic.factors = .bfloat16
    // (1 ± 2⁻⁸)², which is 0.992 to 1.0078.
    var ends = try node.ends()
    #expect(abs(ends.high[0] - 1.007_827_8) < 1e-5)
    node.arithmetic.factors = .float16
    ends = try node.ends()
    #expect(abs(ends.high[0] - 1.000_976_8) < 1e-5)
  }

  @Test func movedElementsAreExact() throws {
    let node = Node(
      "TRANSPOSE", reading: [Node.input([2, 2]), Node.integers([1, 0])],
      [[1, 2, .nan, -.infinity]], writing: [2, 2])
    let ends = try node.ends()
    #expect(ends.low[1].isNaN && ends.high[1].isNaN)
    #expect(ends.low[0] == 1 && ends.low[2] == 2 && ends.low[3] == -.infinity)
    #expect(try node.summary(of: [1, .nan, 2, -.infinity])?.outsideCount == 0)
    #expect(try node.summary(of: [1, 0, 2, -.infinity])?.outsideCount == 1)
  }

  @Test func whatIsNoNumberMayBecomeAnything() throws {
    let node = Node(
      "ADD", reading: [Node.input([3]), Node.constant([1, 1, 3e38], [3])],
      [[.nan, .infinity, 3e38]], writing: [3], .init(tag: BuiltinOptionsTag.add))
    let summary = try #require(try node.summary(of: [.nan, .infinity, .infinity]))
    #expect(summary.unboundedCount == 3 && summary.outsideCount == 0)
  }

  @Test func tiesAreRoundedEitherWay() throws {
    let node = Node(
      "QUANTIZE", reading: [Node.input([3])], [[0.25, 0.6, 900]], writing: [3],
      .init(tag: BuiltinOptionsTag.quantize), type: .int8,
      quantization: .init(scales: [0.5], zeroPoints: [3]))
    guard case .bounded(let tensors) = try node.outcome() else {
      Issue.record("not bounded")
      return
    }
    #expect(tensors[0].low.bytes == [3, 4, 127] && tensors[0].high.bytes == [4, 4, 127])
  }

  @Test func integerWeightsAreNotBounded() throws {
    let weights = ModelWriter.Tensor(
      "w", .int8, [1, 2], constant: [1, 2], quantization: .init(scales: [0.1], zeroPoints: [0]))
    let node = Node(
      "FULLY_CONNECTED", reading: [Node.input([1, 2]), weights], [[1, 2]], writing: [1, 1],
      .init(tag: BuiltinOptionsTag.fullyConnected))
    guard case .notBounded(let reason) = try node.outcome() else {
      Issue.record("bounded")
      return
    }
    #expect(reason.contains("its weights are int8"))
  }

  // MARK: Faults

  /// Nodes whose bounds are tight enough to see ten units in the last place.
  private static var tightNodes: [BoundedNode] {
    var generator = SeededGenerator(seed: 4)
    let picture = generator.floats(6 * 6 * 4)
    let weights = generator.floats(9 * 4).map { abs($0) + 0.1 }
    let input = Node.input([1, 6, 6, 4])
    let pool = ModelWriter.Options(
      tag: BuiltinOptionsTag.pool2D,
      [1: .int32(2), 2: .int32(2), 3: .int32(2), 4: .int32(2)])
    func positive(_ numbers: [Float]) -> [Float] { numbers.map { abs($0) + 0.25 } }
    return [
      Node(
        "DEPTHWISE_CONV_2D",
        reading: [
          input, Node.constant(weights, [1, 3, 3, 4]), Node.constant([0, 0, 0, 0], [4]),
        ],
        [positive(picture)], writing: [1, 4, 4, 4],
        .init(
          tag: BuiltinOptionsTag.depthwiseConv2D,
          [0: .int8(1), 1: .int32(1), 2: .int32(1), 3: .int32(1)])),
      Node(
        "CONV_2D",
        reading: [
          input, Node.constant(Array(weights[..<16]), [4, 1, 1, 4]),
          Node.constant([0, 0, 0, 0], [4]),
        ],
        [positive(picture)], writing: [1, 6, 6, 4],
        .init(tag: BuiltinOptionsTag.conv2D, [1: .int32(1), 2: .int32(1)])),
      Node(
        "AVERAGE_POOL_2D", reading: [input], [positive(picture)], writing: [1, 3, 3, 4], pool),
      Node("MAX_POOL_2D", reading: [input], [picture], writing: [1, 3, 3, 4], pool),
      Node(
        "MUL", reading: [input, Node.constant([0.3, 0.7, 1.1, 9], [4])], [picture],
        writing: [1, 6, 6, 4], .init(tag: BuiltinOptionsTag.mul)),
      Node("LOGISTIC", reading: [input], [picture], writing: [1, 6, 6, 4]),
      Node(
        "MEAN", reading: [input, Node.integers([3])], [positive(picture)], writing: [1, 6, 6],
        .init(tag: BuiltinOptionsTag.reducer)),
      Node(
        "RESHAPE", reading: [input, Node.integers([4, 36])], [picture], writing: [4, 36],
        .init(tag: BuiltinOptionsTag.reshape)),
    ]
  }

  @Test func ownResultsAreInsideAndFaultsAreNot() throws {
    for node in Self.tightNodes {
      for options in [
        Interpreter.Options(), .init(usesReferenceKernels: true), .init(numerics: .exact),
      ] {
        let result = try node.result(options)
        #expect(try node.summary(of: result)?.outsideCount == 0)
        for element in stride(from: 0, to: result.count, by: 5) where result[element] != 0 {
          var faulty = result
          let wrong = faulty[element].bitPattern &+ 22
          faulty[element] = Float(bitPattern: wrong)
          let summary = try #require(try node.summary(of: faulty))
          #expect(summary.outsideCount == 1 && summary.worst?.element == element)
        }
      }
    }
  }
}
