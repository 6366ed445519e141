/// A graph of the model; indices into ``tensors`` are verified.
package struct SubgraphRecord: Sendable {
  package var name: String
  package var tensors: [TensorRecord]
  package var inputs: [Int]
  package var outputs: [Int]
  /// The operators in execution order.
  package var operators: [OperatorRecord]

  package init(
    name: String, tensors: [TensorRecord], inputs: [Int], outputs: [Int],
    operators: [OperatorRecord]
  ) {
    self.name = name
    self.tensors = tensors
    self.inputs = inputs
    self.outputs = outputs
    self.operators = operators
  }
}
