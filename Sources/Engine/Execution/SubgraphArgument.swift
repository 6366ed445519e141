/// The memory and shape of a tensor that a call of a subgraph passes or returns.
///
/// It has no type, because types were compared when the model was loaded.
struct SubgraphArgument {
  var shape: Shape
  var base: UnsafeMutableRawPointer?
  var byteCount: Int
}

extension SubgraphArgument {
  init(_ view: TensorView) {
    self.init(shape: view.shape, base: view.bytes.baseAddress, byteCount: view.bytes.count)
  }
}

extension SubgraphRunner {
  /// Returns a view of a result of the last call.
  func view(_ result: SubgraphArgument, ofOutput position: Int) -> TensorView {
    let tensor = subgraph.tensors[subgraph.outputs[position]]
    return TensorView(
      type: tensor.type, shape: result.shape, quantization: tensor.quantization,
      bytes: UnsafeMutableRawBufferPointer(start: result.base, count: result.byteCount))
  }
}
