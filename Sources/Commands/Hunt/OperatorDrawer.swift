import OcellusModelFile
import OcellusPlatform

/// Draws operators of floats, with the sizes and options that networks have and those at the edges.
struct OperatorDrawer {
  typealias Operand = DrawnOperator.Operand
  typealias Options = ModelWriter.Options

  /// A float tensor that operators can read.
  struct Source {
    let tensor: Int
    let shape: [Int]
  }

  var random: SplitMix64

  /// Returns an operator that reads one of the sources, which may still not accept its shape.
  mutating func next(_ sources: [Source]) -> DrawnOperator? {
    // Late tensors more often, so that graphs become deep.
    let late = sources.suffix(3)
    guard
      let source = (flip() ? late.randomElement(using: &random) : nil)
        ?? sources.randomElement(using: &random)
    else { return nil }
    switch number(0...13) {
    case 0, 1: return source.shape.count == 4 ? convolution(source) : matrix(source)
    case 2: return source.shape.count == 4 ? depthwise(source) : matrix(source)
    case 3: return source.shape.count == 4 ? transposed(source) : product(source, sources)
    case 4: return source.shape.count == 4 ? pool(source) : rows(source)
    case 5: return source.shape.count == 4 ? resizing(source) : reduction(source)
    case 6, 7: return binary(source, sources)
    case 8, 9: return unary(source)
    case 10: return reduction(source)
    case 11: return rows(source)
    case 12: return move(source, sources)
    default: return flip() ? move(source, sources) : matrix(source)
    }
  }

  // MARK: Numbers

  mutating func number(_ range: ClosedRange<Int>) -> Int { .random(in: range, using: &random) }

  mutating func flip() -> Bool { .random(using: &random) }

  mutating func choice<Value>(_ values: [Value]) -> Value { values[number(0...values.count - 1)] }

  /// Returns floats of magnitudes that networks have.
  mutating func floats(_ shape: [Int]) -> Operand {
    .floats(numbers(shape.reduce(1, *)), shape)
  }

  mutating func numbers(_ count: Int) -> [Float] {
    let scale = choice([0.05, 0.5, 2] as [Float])
    return (0..<count).map { _ in scale * .random(in: -1...1, using: &random) }
  }

  private func integers(_ numbers: [Int]) -> Operand {
    .integers(numbers.map { Int32($0) }, [numbers.count])
  }

  private mutating func activation() -> FlatValue { .int8(choice([0, 0, 0, 1, 2, 3])) }

  // MARK: Products

  private mutating func convolution(_ source: Source) -> DrawnOperator {
    let kernel = [number(1...4), number(1...4)]
    let outputs = number(1...20)
    let weights = floats([outputs, kernel[0], kernel[1], source.shape[3]])
    return DrawnOperator(
      "CONV_2D", [.tensor(source.tensor), weights] + (flip() ? [floats([outputs])] : []),
      Options("Conv2DOptions", windows(dilation: flip() ? 1 : number(1...3))))
  }

  private mutating func depthwise(_ source: Source) -> DrawnOperator {
    let multiplier = flip() ? 1 : number(1...3)
    let channels = source.shape[3] * multiplier
    // Seldom without, because LiteRT crashes then, which would hide everything else.
    let hasBias = number(0...31) > 0
    let weights = floats([1, number(1...4), number(1...4), channels])
    var values = windows(dilation: flip() ? 1 : number(1...3))
    values["depth_multiplier"] = .int32(Int32(multiplier))
    return DrawnOperator(
      "DEPTHWISE_CONV_2D",
      [.tensor(source.tensor), weights] + (hasBias ? [floats([channels])] : []),
      Options("DepthwiseConv2DOptions", values))
  }

  private mutating func windows(dilation: Int) -> [String: FlatValue] {
    // Official kernels do not have both.
    let strides = dilation > 1 ? [1, 1] : [number(1...3), number(1...3)]
    return [
      "padding": .int8(flip() ? 0 : 1), "stride_w": .int32(Int32(strides[0])),
      "stride_h": .int32(Int32(strides[1])), "fused_activation_function": activation(),
      "dilation_w_factor": .int32(Int32(dilation)), "dilation_h_factor": .int32(Int32(dilation)),
    ]
  }

  private mutating func transposed(_ source: Source) -> DrawnOperator {
    let (kernel, strides) = ([number(1...4), number(1...4)], [number(1...3), number(1...3)])
    let (outputs, isSame) = (number(1...9), flip())
    var extents: [Int] = []
    for axis in 0..<2 {
      let input = source.shape[axis + 1]
      extents.append(isSame ? input * strides[axis] : (input - 1) * strides[axis] + kernel[axis])
    }
    let shape: [Int] = [source.shape[0]] + extents + [outputs]
    let weightShape: [Int] = [outputs] + kernel + [source.shape[3]]
    return DrawnOperator(
      "TRANSPOSE_CONV",
      [
        integers(shape),
        floats(weightShape), .tensor(source.tensor),
      ],
      Options(
        "TransposeConvOptions",
        [
          "padding": .int8(isSame ? 0 : 1), "stride_h": .int32(Int32(strides[0])),
          "stride_w": .int32(Int32(strides[1])),
        ]))
  }

  private mutating func matrix(_ source: Source) -> DrawnOperator? {
    guard let depth = source.shape.last, source.shape.count >= 2 else { return nil }
    let outputs = number(1...20)
    return DrawnOperator(
      "FULLY_CONNECTED",
      [.tensor(source.tensor), floats([outputs, depth])] + (flip() ? [floats([outputs])] : []),
      Options(
        "FullyConnectedOptions",
        ["fused_activation_function": activation(), "keep_num_dims": .bool(flip())]))
  }

  private mutating func product(_ source: Source, _ sources: [Source]) -> DrawnOperator? {
    guard source.shape.count >= 2, let depth = source.shape.last else { return nil }
    let isTransposed = flip()
    let others = sources.filter { $0.shape == source.shape }
    if isTransposed, let other = others.randomElement(using: &random) {
      return DrawnOperator(
        "BATCH_MATMUL", [.tensor(source.tensor), .tensor(other.tensor)],
        Options("BatchMatMulOptions", ["adj_y": .bool(true)]))
    }
    let outputs = number(1...17)
    let outer = Array(source.shape.dropLast(2))
    return DrawnOperator(
      "BATCH_MATMUL",
      [
        .tensor(source.tensor),
        floats(outer + (isTransposed ? [outputs, depth] : [depth, outputs])),
      ], Options("BatchMatMulOptions", ["adj_y": .bool(isTransposed)]))
  }

  // MARK: Windows and rows

  private mutating func pool(_ source: Source) -> DrawnOperator {
    DrawnOperator(
      flip() ? "AVERAGE_POOL_2D" : "MAX_POOL_2D", [.tensor(source.tensor)],
      Options(
        "Pool2DOptions",
        [
          "padding": .int8(flip() ? 0 : 1), "stride_w": .int32(Int32(number(1...3))),
          "stride_h": .int32(Int32(number(1...3))), "filter_width": .int32(Int32(number(1...5))),
          "filter_height": .int32(Int32(number(1...5))), "fused_activation_function": activation(),
        ]))
  }

  private mutating func resizing(_ source: Source) -> DrawnOperator {
    let isBilinear = number(0...3) > 0
    let isAligned = flip()
    return DrawnOperator(
      isBilinear ? "RESIZE_BILINEAR" : "RESIZE_NEAREST_NEIGHBOR",
      [.tensor(source.tensor), integers([number(1...25), number(1...25)])],
      Options(
        isBilinear ? "ResizeBilinearOptions" : "ResizeNearestNeighborOptions",
        [
          "align_corners": .bool(isAligned), "half_pixel_centers": .bool(!isAligned && flip()),
        ]))
  }

  private mutating func rows(_ source: Source) -> DrawnOperator {
    switch number(0...3) {
    case 0:
      DrawnOperator("LOG_SOFTMAX", [.tensor(source.tensor)], Options("LogSoftmaxOptions", [:]))
    case 1:
      DrawnOperator("L2_NORMALIZATION", [.tensor(source.tensor)], Options("L2NormOptions", [:]))
    default:
      DrawnOperator(
        "SOFTMAX", [.tensor(source.tensor)],
        Options("SoftmaxOptions", ["beta": .float(flip() ? 1 : choice([0.5, 2]))]))
    }
  }

  private mutating func reduction(_ source: Source) -> DrawnOperator {
    let axes = source.shape.indices.filter { _ in flip() }
    return DrawnOperator(
      choice(["MEAN", "MEAN", "SUM", "REDUCE_MAX", "REDUCE_MIN"]),
      [.tensor(source.tensor), integers(axes.isEmpty ? [source.shape.count - 1] : axes)],
      Options("ReducerOptions", ["keep_dims": .bool(flip())]))
  }

  // MARK: Elements

  private mutating func binary(_ source: Source, _ sources: [Source]) -> DrawnOperator {
    let name = choice([
      "ADD", "ADD", "MUL", "MUL", "SUB", "DIV", "MAXIMUM", "MINIMUM",
      "SQUARED_DIFFERENCE", "PRELU",
    ])
    let others = sources.filter { $0.shape == source.shape && $0.tensor != source.tensor }
    var second: Operand
    if flip(), name != "PRELU", name != "DIV", let other = others.randomElement(using: &random) {
      second = .tensor(other.tensor)
    } else {
      var shape = source.shape.map { flip() ? $0 : 1 }
      if name == "PRELU" {
        shape = Array(repeating: 1, count: max(source.shape.count - 2, 0)) + source.shape.suffix(1)
      }
      second = floats(shape)
      if name == "DIV", case .floats(let numbers, _) = second {
        second = .floats(numbers.map { $0 + ($0 < 0 ? -0.25 : 0.25) }, shape)
      }
    }
    let table = [
      "ADD": "AddOptions", "MUL": "MulOptions", "SUB": "SubOptions", "DIV": "DivOptions",
    ]
    return DrawnOperator(
      name, [.tensor(source.tensor), second],
      table[name].flatMap { Options($0, ["fused_activation_function": activation()]) })
  }

  private static let functions = [
    "ABS", "ELU", "EXP", "FLOOR", "CEIL", "GELU", "HARD_SWISH", "LEAKY_RELU", "LOGISTIC", "NEG",
    "RELU", "RELU6", "RELU_N1_TO_1", "ROUND", "SQUARE", "TANH",
  ]

  private mutating func unary(_ source: Source) -> DrawnOperator {
    let name = choice(Self.functions)
    let options: Options? =
      switch name {
      case "GELU": Options("GeluOptions", ["approximate": .bool(flip())])
      case "LEAKY_RELU":
        Options("LeakyReluOptions", ["alpha": .float(choice([0.1, 0.3, -0.2, 1.5]))])
      default: nil
      }
    return DrawnOperator(name, [.tensor(source.tensor)], options)
  }

  // MARK: Places

  private mutating func move(_ source: Source, _ sources: [Source]) -> DrawnOperator {
    let (rank, operand) = (source.shape.count, Operand.tensor(source.tensor))
    switch number(0...6) {
    case 0:
      return DrawnOperator(
        "TRANSPOSE", [operand, integers(Array(0..<rank).shuffled(using: &random))])
    case 1:
      let paddings = source.shape.flatMap { _ in [number(0...2), number(0...2)] }
      return DrawnOperator(
        "PAD",
        [operand, .integers(paddings.map { Int32($0) }, [rank, 2])])
    case 2:
      let begins = source.shape.map { number(0...max($0 / 2, 0)) }
      let sizes = zip(source.shape, begins).map { number(1...max($0 - $1, 1)) }
      return DrawnOperator("SLICE", [operand, integers(begins), integers(sizes)])
    case 3:
      let count = source.shape.reduce(1, *)
      let width = choice((1...count).filter { count.isMultiple(of: $0) && $0 <= 256 })
      return DrawnOperator("RESHAPE", [operand, integers([count / width, width])])
    case 4:
      let others = sources.filter { $0.shape == source.shape }
      let axis = number(0...rank - 1)
      return DrawnOperator(
        "CONCATENATION", [operand, .tensor(choice(others).tensor)],
        Options("ConcatenationOptions", ["axis": .int32(Int32(axis))]))
    case 5:
      return DrawnOperator("TILE", [operand, integers(source.shape.map { _ in number(1...2) })])
    default:
      let paddings = source.shape.flatMap { extent in [min(extent - 1, number(0...2)), 0] }
      return DrawnOperator(
        "MIRROR_PAD", [operand, .integers(paddings.map { Int32($0) }, [rank, 2])],
        Options("MirrorPadOptions", ["mode": .int8(0)]))
    }
  }
}
