extension NodeSpec {
  /// Throws unless the weights are of a type that goes with quantized inputs.
  package func requireWeightTypes(
    input: TensorSpec, weights: TensorSpec
  ) throws(ModelError) {
    if input.type == .uint8 {
      try require(weights, .uint8)
    } else {
      try require(weights, .int8, .int4)
    }
  }

  /// Throws unless the bias is of a type that goes with quantized inputs, without a zero point.
  package func requireBiasType(
    _ bias: TensorSpec?, input: TensorSpec
  ) throws(ModelError) {
    guard let bias else { return }
    if input.type == .int16 {
      try require(bias, .int32, .int64)
    } else {
      try require(bias, .int32)
    }
    try requireSymmetric(bias)
  }

  /// Throws unless the zero points of these tensors are 0.
  package func requireSymmetric(_ tensors: TensorSpec...) throws(ModelError) {
    for tensor in tensors {
      try require(
        tensor.quantization?.zeroPoints.allSatisfy { $0 == 0 } ?? true,
        "\(tensor.label) must have the zero point 0")
    }
  }

  /// Returns the type of sums of products with `int16` inputs, by the option `quantized_bias_type`.
  ///
  /// If the option is left out, the official kernels add in 64 bits.
  package func sumType(
    _ options: OptionReader, field: Int, input: TensorSpec, bias: TensorSpec?
  ) throws(ModelError) -> ElementType {
    guard input.type == .int16 else { return .int32 }
    let number = try options.integer(field, as: Int8.self)
    guard let type = ElementType(rawValue: number), number != 0 else { return .int64 }
    try require(type == .int32 || type == .int64, "sums cannot be \(type.name)")
    if let bias {
      try require(bias.type == type, "bias is \(bias.type.name), the options say \(type.name)")
    }
    return type
  }
}

extension ShapeContext {
  /// Throws unless input and weights have a rank and are not empty; a batch may be empty.
  package func require(_ input: Shape, _ weights: Shape, ofRank rank: Int) throws(ModelError) {
    try require(
      input.rank == rank && weights.rank == rank, "input and weights must have \(rank) dimensions")
    try require(
      input.dimensions.dropFirst().allSatisfy { $0 > 0 } && !weights.dimensions.contains(0),
      "input and weights must not be empty")
  }

  /// Throws unless there are as many biases and scales per channel as output channels.
  package func requireChannels(
    _ count: Int, bias: Int, _ arithmetic: WeightedArithmetic
  ) throws(ModelError) {
    if let bias = optionalShape(bias) {
      try require(bias.elementCount == count, "there are \(bias.elementCount) biases")
    }
    let scaleCount =
      switch arithmetic {
      case .float, .plainIntegers: 1
      case .hybrid(let hybrid): hybrid.scales.count
      case .quantized(let requantization): requantization.multipliers.count
      }
    try require(
      scaleCount == 1 || scaleCount == count, "there are \(scaleCount) scales for the weights")
  }
}
