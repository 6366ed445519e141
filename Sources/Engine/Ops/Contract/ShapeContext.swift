/// The information from which an operator infers the shapes of its outputs.
package struct ShapeContext {
  package let node: NodeSpec
  let shapes: [Shape?]
  /// The operands whose values are known; always those in `Operator.shapeInputs`.
  let values: [TensorView?]
  /// Plans another subgraph; see `resultShapes(ofSubgraph:for:)`.
  let planSubgraph: (Int, [Shape]) throws(ModelError) -> [Shape]?

  init(
    node: NodeSpec, shapes: [Shape?], values: [TensorView?],
    planSubgraph: @escaping (Int, [Shape]) throws(ModelError) -> [Shape]?
  ) {
    self.node = node
    self.shapes = shapes
    self.values = values
    self.planSubgraph = planSubgraph
  }

  /// Makes a context from what is known of the operands when steps are planned.
  init(_ context: PlanContext) {
    self.init(
      node: context.node, shapes: context.inputShapes, values: context.knownValues,
      planSubgraph: { (_, _) throws(ModelError) in nil })
  }

  package var inputCount: Int { shapes.count }

  /// Returns the shape of an operand that the operator's `init` has required.
  package func shape(_ input: Int) -> Shape {
    guard let shape = shapes[input] else { preconditionFailure("operand \(input) is left out") }
    return shape
  }

  package func optionalShape(_ input: Int) -> Shape? {
    input < shapes.count ? shapes[input] : nil
  }

  /// Returns the value of an operand named in `shapeInputs`, or of another that happens to be
  /// constant.
  package func value(_ input: Int) -> TensorView? {
    input < values.count ? values[input] : nil
  }

  /// Returns the few integers in an operand named in `shapeInputs`: a shape, axes, sizes.
  ///
  /// An operand with more elements than any operator can mean is refused, since no budget counts
  /// the memory of the copy. Operands that may be large are read through `value`.
  package func integers(_ input: Int) throws(ModelError) -> [Int] {
    guard let value = value(input) else { preconditionFailure("operand \(input) is not known") }
    try require(value.elementCount <= 1 << 16, "operand \(input) has too many elements")
    return Array(value.integers)
  }

  /// Returns the result shapes of a subgraph among the operator's `callees` for inputs of these
  /// shapes; `nil` when they depend on data.
  package func resultShapes(
    ofSubgraph index: Int, for inputs: [Shape]
  ) throws(ModelError) -> [Shape]? {
    try planSubgraph(index, inputs)
  }

  package func error(_ message: String, _ kind: ModelError.Kind = .mismatch) -> ModelError {
    let operands = zip(node.inputs, shapes).compactMap { spec, shape in
      spec.map { "\($0.label) \(shape?.description ?? "")" }
    }
    return node.error("\(message); inputs: \(operands.joined(separator: ", "))", kind)
  }

  /// Throws a mismatch that names the operands' shapes, unless `condition` holds.
  package func require(
    _ condition: Bool, _ message: @autoclosure () -> String
  ) throws(ModelError) {
    if !condition { throw error(message()) }
  }

  /// Returns `axis` counted from the front, checked against the rank.
  package func axis(_ axis: Int, rank: Int) throws(ModelError) -> Int {
    guard (-rank..<rank).contains(axis) else {
      throw error("axis \(axis) is out of range for \(rank) dimensions")
    }
    return axis < 0 ? axis + rank : axis
  }

  /// Returns the product of sizes that come from the file or its data, and throws if it overflows.
  package func product(_ factors: Int...) throws(ModelError) -> Int {
    var product = 1
    for factor in factors {
      let (value, overflow) = product.multipliedReportingOverflow(by: factor)
      if overflow { throw error("the sizes \(factors) are too large", .overBudget) }
      product = value
    }
    return product
  }
}
