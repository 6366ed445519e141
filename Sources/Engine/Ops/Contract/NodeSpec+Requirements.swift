extension NodeSpec {
  /// Throws unless there are `count` operands, none of them omitted, and one result.
  package func requireAllOperands(_ count: Int) throws(ModelError) {
    try requireOperands(count)
    for position in 0..<count { _ = try input(position) }
  }

  /// Throws `unsupported` unless the tensor has one of these types.
  package func require(
    _ tensor: TensorSpec, oneOf types: [ElementType]
  ) throws(ModelError) {
    guard !types.contains(tensor.type) else { return }
    let names = types.map(\.name).joined(separator: ", ")
    throw unsupported("tensor \(tensor.label) is \(tensor.type.name), must be \(names)")
  }

  /// Throws unless two tensors have the same type.
  package func requireSameType(_ a: TensorSpec, _ b: TensorSpec) throws(ModelError) {
    try require(
      a.type == b.type,
      "tensors \(a.label) and \(b.label) have different types, \(a.type.name) and \(b.type.name)")
  }

  /// Throws unless two tensors are quantized alike, as far as kernels with one scale per tensor can
  /// tell.
  package func requireSameQuantization(_ a: TensorSpec, _ b: TensorSpec) throws(ModelError) {
    try require(
      a.uniformScale == b.uniformScale && a.uniformZeroPoint == b.uniformZeroPoint,
      "tensors \(a.label) and \(b.label) are quantized differently")
  }
}
