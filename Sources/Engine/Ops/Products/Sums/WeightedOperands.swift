/// The tensors of an operator with weights while it runs.
package struct WeightedOperands {
  package var input: TensorView
  package var weights: TensorView
  package var bias: TensorView?
  package var output: TensorView
  /// How many items the batch has.
  package var batchCount: Int
  /// How many inputs belong to an item.
  package var inputsPerItem: Int
  /// How many output channels there are: as many as biases and scales.
  package var channelCount: Int
}
