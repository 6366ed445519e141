/// One difference between two models' files: of a tensor, a node or a graph.
package struct ModelDifference: Sendable {
  /// The property that differs.
  package enum Aspect: String, CaseIterable, Sendable {
    /// The elements of a constant, or whether a tensor is one.
    case constant
    case quantization
    case options
    case type
    case shape
    /// The layout of a sparse constant.
    case sparsity
    /// Whether a tensor keeps its value from run to run.
    case variable
    /// The version of an operator.
    case version
    /// A node that only one of the files has, or the operands of one.
    case node
    /// Inputs and outputs, signatures, and the number of subgraphs.
    case graph
  }

  /// A place in the two files; what is unknown, or exists in one file only, is `nil`.
  package struct Place: Sendable, Hashable {
    package var subgraph = 0
    package var operatorName = ""
    /// The node that uses a constant, or the one that computes a tensor.
    package var firstNode: Int?
    package var secondNode: Int?
    package var firstTensor: Int?
    package var secondTensor: Int?
    /// The name of the tensor, in the first file if it is there.
    package var tensorName = ""
  }

  package var aspect: Aspect
  package var place: Place
  /// The property in both files, as text.
  package var first: String
  package var second: String
  /// The difference of a constant's elements; `nil` if they cannot be compared.
  package var elements: TensorDifference?
}
