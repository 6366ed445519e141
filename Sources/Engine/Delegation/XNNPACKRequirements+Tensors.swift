import OcellusModelFile

// The types and quantizations that the delegate accepts.

extension XNNPACKRequirements {
  func require(
    _ condition: Bool, _ reason: @autoclosure () -> String
  ) throws(XNNPACKRefusal) {
    if !condition { throw XNNPACKRefusal(reason()) }
  }

  func input(_ position: Int, of node: NodeSpec) throws(XNNPACKRefusal) -> TensorSpec {
    guard let tensor = node.optionalInput(position) else {
      throw XNNPACKRefusal("it has no input \(position)")
    }
    return tensor
  }

  func output(of node: NodeSpec) throws(XNNPACKRefusal) -> TensorSpec {
    guard let tensor = node.outputs.first else { throw XNNPACKRefusal("it has no output") }
    return tensor
  }

  func requireStatic(_ tensor: TensorSpec) throws(XNNPACKRefusal) {
    try require(isStatic(tensor), "\(tensor.label) is not a constant")
  }

  func requireRank(
    _ tensor: TensorSpec, _ ranks: ClosedRange<Int>
  ) throws(XNNPACKRefusal) {
    try require(
      ranks.contains(tensor.shape.rank) && tensor.shape.dimensions.allSatisfy { $0 != 0 },
      "\(tensor.label) has the shape \(tensor.shape)")
  }

  func requireRank(_ tensor: TensorSpec, _ rank: Int) throws(XNNPACKRefusal) {
    try requireRank(tensor, rank...rank)
  }

  func requireFloat(_ tensor: TensorSpec) throws(XNNPACKRefusal) {
    try require(
      tensor.type == .float32 || tensor.type == .float16,
      "\(tensor.label) is \(tensor.type.name)")
  }

  /// Requires floats, or bytes with one scale.
  func requireFloatOrBytes(_ tensor: TensorSpec) throws(XNNPACKRefusal) {
    if tensor.type == .float32 || tensor.type == .float16 { return }
    try requireBytes(tensor)
  }

  func requireBytes(_ tensor: TensorSpec) throws(XNNPACKRefusal) {
    try require(
      tensor.type == .int8 || tensor.type == .uint8, "\(tensor.label) is \(tensor.type.name)")
    guard let quantization = tensor.quantization, quantization.scales.count == 1,
      quantization.axis == 0
    else { throw XNNPACKRefusal("\(tensor.label) does not have one scale") }
    try require(
      isNormal(quantization.scale), "\(tensor.label) has the scale \(quantization.scale)")
    let bytes = tensor.type == .int8 ? -128...127 : 0...255
    try require(
      bytes.contains(quantization.zeroPoint),
      "\(tensor.label) has the zero point \(quantization.zeroPoint)")
  }

  /// Requires weights with one scale, or with one per channel along an axis.
  func requireFilter(_ tensor: TensorSpec, axis: Int) throws(XNNPACKRefusal) {
    guard tensor.type == .int8, let quantization = tensor.quantization,
      quantization.scales.count > 1
    else {
      if tensor.type == .int8 { return try requireOneScale(tensor) }
      return try requireFloatOrBytes(tensor)
    }
    try require(
      quantization.axis == axis, "\(tensor.label) has scales along axis \(quantization.axis)")
    try require(
      quantization.scales.allSatisfy(isNormal) && quantization.zeroPoint == 0,
      "\(tensor.label) has an unusual scale or a zero point")
  }

  /// Requires `int8` weights with one scale; the axis does not matter.
  private func requireOneScale(_ tensor: TensorSpec) throws(XNNPACKRefusal) {
    guard let quantization = tensor.quantization, quantization.scales.count == 1,
      isNormal(quantization.scale)
    else { throw XNNPACKRefusal("\(tensor.label) has no usual scale") }
  }

  func requireBias(_ tensor: TensorSpec) throws(XNNPACKRefusal) {
    switch tensor.type {
    case .float32, .float16: break
    case .int32:
      try require(
        tensor.quantization.map { $0.axis == 0 && $0.scales.allSatisfy(isNormal) } ?? false,
        "\(tensor.label) has no usual scale")
    default: throw XNNPACKRefusal("\(tensor.label) is \(tensor.type.name)")
    }
    try requireRank(tensor, 1)
    try requireStatic(tensor)
  }

  private func isNormal(_ scale: Float) -> Bool { scale.isNormal && scale > 0 }

  /// Requires a ratio of scales between bytes of the same type.
  func requireScale(
    _ ratio: Float, of tensor: TensorSpec, _ range: Range<Float>
  ) throws(XNNPACKRefusal) {
    guard tensor.type == .int8 || tensor.type == .uint8 else { return }
    try require(range.contains(ratio), "the scales have the ratio \(ratio)")
  }

  func scale(_ tensor: TensorSpec) -> Float { tensor.quantization?.scale ?? 0 }

  func requireSameType(_ tensors: TensorSpec...) throws(XNNPACKRefusal) {
    try require(
      tensors.allSatisfy { $0.type == tensors[0].type }, "its tensors have different types")
  }

  /// Requires a fused activation that clamps, or none.
  func requireClamp(_ node: NodeSpec, _ tag: Int, field: Int) throws {
    let activation = try FusedActivation(node.options(tag), field: field)
    try require(
      activation == .none || !activation.isUnlimited, "it has the activation \(activation)")
  }
}
