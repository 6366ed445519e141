/// What is known about a node, for all inputs that it may get.
package struct NodeProof: Sendable {
  /// The argument that covers all inputs.
  package enum Argument: String, Sendable {
    /// Integer sums are exact in any order, and every sum that inputs can lead to was scaled.
    case everySum = "every_sum"
    /// Every value of the operand was at every place of the tensor.
    case everyValue = "every_value"
    /// Every pair of values of two operands was computed.
    case everyPair = "every_pair"
    /// The node only moves elements, and every element's place was told apart from all others.
    case everyPlace = "every_place"
    /// The node only selects the greatest or least of a group of elements, and at each place of the
    /// group every value stood out.
    case everySelection = "every_selection"
    /// Every float of 32 bits but NaNs was converted.
    case everyFloat = "every_float"
    /// The results depend on the operands' shapes only, and were computed.
    case shapeOnly = "shape_only"
  }

  package enum Outcome: Sendable {
    case proved(Argument)
    /// The kernel differs from its specification for some input.
    case refuted(String)
    /// Nothing was found, but not all inputs are covered, for this reason.
    case notProved(String)
  }

  package var subgraph: Int
  package var index: Int
  package var operatorName: String
  /// The kernel that runs, with its strategy.
  package var kernel: String
  package var outcome: Outcome
  /// The number of results that were compared with the specification.
  package var comparisonCount = 0
  /// What was found out about the sums of a node that multiplies by weights.
  package var sums: SumFacts?
}

/// The sums of a node that multiplies by weights, as a certificate states them.
package struct SumFacts: Sendable {
  /// The number of output channels.
  package var channelCount: Int
  /// The number of sums that inputs can lead to, of all channels together.
  package var sumCount: Int
  /// The least and the greatest sum of any channel.
  package var range: ClosedRange<Int64>
  /// The SHA-256 of the ranges and of the specified results of all channels.
  package var hash: String
}
