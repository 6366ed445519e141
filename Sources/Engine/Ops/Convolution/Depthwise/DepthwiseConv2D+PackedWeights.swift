import OcellusModelFile

extension DepthwiseConv2D {
  /// Returns the weights as the official reference kernel reads them.
  ///
  /// With 16-bit inputs that kernel does not unpack 4-bit weights (`depthwise_conv.cc`,
  /// `EvalQuantizedPerChannel16x8`): it reads the packed bytes as whole weights. Since there are
  /// half as many as it needs, it reads on beyond them in the file. An audit needs the numbers of
  /// the official runtime, so this function reads on too, but never beyond the end of the file.
  func weights(_ context: RunContext) throws(ModelError) -> TensorView {
    let weights = context.input(1)
    guard weights.type == .int4, context.input(0).type == .int16,
      let packed = context.node.spec.inputs[1]?.constant
    else { return weights }
    let count = weights.elementCount
    let file = context.session.model.file.bytes.buffer
    guard let start = packed.baseAddress, let end = file.baseAddress.map({ $0 + file.count }),
      start + count <= end
    else {
      throw context.error("the official kernel reads these weights beyond the end of the file")
    }
    return TensorView(
      type: .int8, shape: weights.shape, quantization: weights.quantization,
      bytes: .init(start: .init(mutating: start), count: count))
  }
}
