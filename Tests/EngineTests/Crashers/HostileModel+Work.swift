import OcellusModelFile
import OcellusTestSupport

/// Work and memory that grow without growing the tensors that a budget counts.
extension HostileModel {
  static let work: [HostileModel] = [
    .init(
      "two billion steps of no items", "seen by us", mustFail: false,
      recurrent("UNIDIRECTIONAL_SEQUENCE_RNN", [largest, 0, 4], .float32)),
    .init(
      "two billion steps of one item without numbers", "seen by us",
      recurrent("UNIDIRECTIONAL_SEQUENCE_RNN", [largest, 1, 0], .float32)),
    .init(
      "two billion steps, each two billion times", "seen by us", mustFail: false,
      recurrent("BIDIRECTIONAL_SEQUENCE_RNN", [largest, 0, 4], .int8)),
    .init(
      "one run among 2^60 beginnings", "seen by us", mustFail: false,
      skipGram(words: 60, size: 60, skip: 60, includesShorter: false)),
    .init(
      "twenty billion runs of words", "seen by us",
      skipGram(words: 5000, size: 3, skip: 4999, includesShorter: true)),
    .init(
      "hashes of two billion items without bytes", "seen by us",
      model(
        "LSH_PROJECTION", [floats([2, 3]), input([largest, 0])], [output([6], .int32)],
        options: .init(tag: BuiltinOptionsTag.lshProjection, [0: .int8(2)]))),
    .init(
      "transform that needs eight times its result", "seen by us",
      model(
        "RFFT2D", [input([1, 1]), integers([1, 1 << 23])], [output([1, 1 << 22 + 1], .complex64)])),
    .init(
      "weights that many nodes share", "seen by us", mustFail: false,
      sharedWeights(nodes: 100, units: 500, depth: 500)),
    .init(
      "permutation in a buffer longer than its tensor", "seen by us", mustFail: false,
      longPermutation),
    .init(
      "branches of branches", "seen by us", mustFail: false, calls(depth: 20)),
  ]

  private static let largest = Int(Int32.max)

  private static func recurrent(
    _ name: String, _ shape: [Int], _ type: TensorType
  ) -> ModelWriter {
    let (batch, depth) = (shape[1], shape[2])
    func weights(_ shape: [Int]) -> Tensor {
      let count = shape.reduce(1, *) * (type == .int8 ? 1 : 4)
      return Tensor(
        "weights", type, shape, constant: [UInt8](repeating: 0, count: count),
        quantization: type == .int8 ? .init(scales: [1], zeroPoints: [0]) : nil)
    }
    let cell = [
      weights([4, depth]), weights([4, 4]), floats([4]),
      Tensor("state", .float32, [batch, 4], isVariable: true),
    ]
    let isBidirectional = name.hasPrefix("BI")
    let result = output([shape[0], batch, 4])
    var writer = model(
      name, [input(shape)] + cell + (isBidirectional ? cell : []),
      isBidirectional ? [result, result] : [result],
      options: .init(
        tag: isBidirectional
          ? BuiltinOptionsTag.bidirectionalSequenceRNN : BuiltinOptionsTag.sequenceRNN,
        [0: .bool(true)]))
    if isBidirectional { writer.subgraphs[0].operators[0].inputs += [-1, -1, -1] }
    return writer
  }

  private static func skipGram(
    words: Int32, size: Int32, skip: Int32, includesShorter: Bool
  ) -> ModelWriter {
    let text = (0..<words).map { _ in "a" }.joined(separator: " ")
    let header = [UInt8](bytesOf: [1, 12, 12 + Int32(text.utf8.count)])
    return model(
      "SKIP_GRAM", [Tensor("text", .string, [1], constant: header + Array(text.utf8))],
      [output([1], .string)],
      options: .init(
        tag: BuiltinOptionsTag.skipGram,
        [0: .int32(size), 1: .int32(skip), 2: .bool(includesShorter)]))
  }

  /// Independent nodes that all multiply by the same matrix.
  static func sharedWeights(nodes: Int, units: Int, depth: Int) -> ModelWriter {
    let results = (0..<nodes).map { Tensor("output \($0)", .float32, [1, units]) }
    // With a common bias, the nodes would share their packed weights, too.
    let biases = (0..<nodes).map {
      Tensor(
        "bias \($0)", .float32, [units],
        constant: [UInt8](bytesOf: [Float](repeating: 0, count: units)))
    }
    return ModelWriter(subgraphs: [
      .init(
        tensors: [input([1, depth]), floats([units, depth])] + results + biases, inputs: [0],
        outputs: Array(2..<nodes + 2),
        operators: (0..<nodes).map {
          .init(
            code("FULLY_CONNECTED"), inputs: [0, 1, nodes + 2 + $0], outputs: [$0 + 2],
            options: .init(tag: BuiltinOptionsTag.fullyConnected))
        })
    ])
  }

  private static let longPermutation: ModelWriter = {
    let permutation = integers([1, 0, 2, 3, 4], shape: [2])
    return ModelWriter(subgraphs: [
      .init(
        tensors: [input([2, 3]), permutation, output([3, 2]), output([3, 2]), output([2, 3])],
        inputs: [0], outputs: [4],
        operators: [
          .init(code("TRANSPOSE"), inputs: [0, 1], outputs: [2]),
          .init(code("NEG"), inputs: [2], outputs: [3]),
          .init(code("TRANSPOSE"), inputs: [3, 1], outputs: [4]),
        ])
    ])
  }()

  /// A chain of subgraphs, each of which calls the next one twice.
  private static func calls(depth: Int) -> ModelWriter {
    func subgraph(_ index: Int) -> ModelWriter.Subgraph {
      let call = ModelWriter.Options(
        tag: BuiltinOptions2Tag.stablehloComposite,
        [0: .string("call"), 1: .int32(Int32(index + 1))])
      let composite = { (result: Int) in
        ModelWriter.Operator(
          code("STABLEHLO_COMPOSITE"), inputs: [0], outputs: [result], options2: call)
      }
      return .init(
        name: "\(index)", tensors: [input([1]), output(), output()], inputs: [0], outputs: [2],
        operators: index < depth
          ? [composite(1), composite(2)]
          : [.init(code("NEG"), inputs: [0], outputs: [2])])
    }
    return ModelWriter(subgraphs: (0...depth).map(subgraph))
  }
}
