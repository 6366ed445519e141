import OcellusAudit
import OcellusEngine
import OcellusPlatform
import OcellusTestSupport
import Testing

@Suite struct ComparisonTests {
  private func tensor(_ values: [Float], _ quantization: Quantization? = nil) -> StoredTensor {
    StoredTensor(
      type: .float32, shape: [values.count], quantization: quantization,
      bytes: values.withUnsafeBytes { Array($0) })
  }

  private func tensor(_ values: [Int8], scale: Float, zeroPoint: Int) -> StoredTensor {
    StoredTensor(
      type: .int8, shape: [values.count],
      quantization: .init(scales: [scale], zeroPoints: [zeroPoint]),
      bytes: values.map { UInt8(bitPattern: $0) })
  }

  /// The measures of a difference equal numbers worked out by hand.
  @Test func measures() throws {
    let difference = try #require(
      TensorDifference(tensor([3, 0, 0, 4]), tensor([3, 0, 0, 4.5])))
    #expect(difference.differentCount == 1 && difference.firstDifferent == 3)
    #expect(difference.maximum == 0.5 && difference.rootMeanSquare == 0.25)
    // The first tensor is the signal: 25 over 0.25, not 29.25.
    #expect(abs(difference.signalToNoise - 20) < 1e-12)
    #expect(difference.units == 1 << 20)
    #expect(TensorDifference(tensor([1]), tensor([1]))?.isNone == true)
    #expect(TensorDifference(tensor([0]), tensor([-0.0]))?.differentCount == 1)
    #expect(TensorDifference(tensor([1]), tensor([1, 2])) == nil)
    let odd = try #require(TensorDifference(tensor([.nan, 1]), tensor([0, 1])))
    #expect(odd.maximum == .infinity && odd.differentCount == 1)
    let steps = try #require(
      TensorDifference(
        tensor([1, 2], scale: 0.5, zeroPoint: 1), tensor([1, 5], scale: 0.5, zeroPoint: 1)))
    #expect(steps.units == 3 && steps.maximum == 1.5)
    // The quantized number 2 × 0.25 equals the float 0.5.
    let twin = try #require(
      TensorDifference(tensor([0.5]), tensor([3], scale: 0.25, zeroPoint: 1)))
    #expect(twin.isNone && twin.units == nil)
  }

  @Test func conversionsRoundAndSaturate() throws {
    let quantization = Quantization(scales: [0.5], zeroPoints: [-3])
    let stored = try #require(
      tensor([0, 0.3, -100, 100, 1]).converted(to: .int8, quantization))
    #expect(stored.bytes.map { Int8(bitPattern: $0) } == [-3, -2, -128, 127, -1])
    let back = try #require(stored.converted(to: .float32, nil))
    #expect(
      back.bytes.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
        == [0, 0.5, -62.5, 65, 1])
    #expect(tensor([.nan]).converted(to: .int8, quantization) == nil)
    #expect(tensor([1]).converted(to: .int8, nil) == nil)
  }

  @Test func scalesOfChannelsAreTheirs() throws {
    let stored = StoredTensor(
      type: .int8, shape: [2, 2],
      quantization: .init(scales: [1, 10], zeroPoints: [0, 1], axis: 1), bytes: [1, 2, 3, 4])
    let reals = try #require(stored.reals())
    #expect((0..<4).map { reals[$0] } == [1, 10, 3, 30])
  }

  /// Every operator of the package's float detector, except conversions, has a counterpart in the
  /// int8 one, and the differences are far below the signal.
  @Test func twinsAreAligned() throws {
    let streams = try ["scenes-detector-float", "scenes-detector"].map { name in
      let path = try #require(PackageFiles.models.first { $0.hasSuffix("/\(name).tflite") })
      let interpreter = try Interpreter(
        Model(path: path), options: .init(runsNodesSeparately: true))
      try interpreter.fillInputs()
      return LiveStream(interpreter, title: name)
    }
    let comparison = try RunComparison(streams[0], streams[1])
    #expect(!comparison.hasSameGraph)
    for pair in comparison.alignment.pairs {
      let operators = zip(streams, [pair.first, pair.second]).map {
        $0.outline.nodes[$1].operatorName
      }
      #expect(operators[0] == operators[1])
    }
    #expect(comparison.alignment.pairs.count > streams[0].outline.nodes.count * 3 / 4)
    var layers: [LayerComparison] = []
    try comparison.run { layers.append($0) }
    #expect(layers.count == comparison.alignment.pairs.count)
    #expect(layers.allSatisfy { $0.bornDifference != nil })
  }

  /// A stream that is ended early ends its run, and nothing waits for it.
  @Test func runsAreGivenUp() throws {
    let stream = LiveStream(try SyntheticChain().interpreter(), title: "chain")
    #expect(try stream.advance(to: 5))
    #expect(try stream.tensor(12)?.shape == [1, 12])
    stream.end()
    let unused = LiveStream(try SyntheticChain().interpreter(), title: "chain")
    unused.end()
    let past = LiveStream(try SyntheticChain().interpreter(), title: "chain")
    #expect(try !past.advance(to: 60))
    past.end()
  }

  @Test func errorsOfARunComeOut() throws {
    let interpreter = try SyntheticChain().interpreter()
    interpreter.cancellation.cancel()
    let stream = LiveStream(interpreter, title: "chain")
    #expect(throws: ModelError.self) { _ = try stream.advance(to: 0) }
    stream.end()
  }
}
