extension RunContext {
  /// Makes a result by copying a tensor of another subgraph.
  package func makeOutput(_ position: Int, copying value: TensorView) throws(ModelError) {
    let planned = output(position)
    let isPlanned = planned.shape == value.shape && planned.bytes.count == value.bytes.count
    let isVariableSized = value.type.bitWidth == nil
    let output =
      isPlanned
      ? planned
      : try makeOutput(
        position, shape: value.shape, byteCount: isVariableSized ? value.bytes.count : nil)
    try require(output.bytes.count == value.bytes.count, "\(value.type.name) data is missing")
    value.copyBytes(to: output)
  }
}
