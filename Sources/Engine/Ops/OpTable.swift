/// Every operator the engine can run, by name.
///
/// To add one: a file beside this one, a line here, a sample in `TestSupport/Samples.swift`.
package let allOperators: [OperatorDefinition] = [
  Addition.add,
  ArgExtremum.maximum,
  ArgExtremum.minimum,
  CumulativeSum.definition,
  Div.definition,
  Mul.definition,
  Reduction.all,
  Reduction.any,
  Reduction.maximum,
  Reduction.mean,
  Reduction.minimum,
  Reduction.product,
  Reduction.sum,
  Reshape.definition,
  Resize.bilinear,
  Resize.nearestNeighbor,
  Addition.sub,
  TopK.definition,
]

/// The table as loading uses it, with the operators that a program has added.
package struct OperatorRegistry: Sendable {
  private var definitions: [String: OperatorDefinition]

  package init(adding custom: [OperatorDefinition] = []) {
    definitions = Dictionary(
      (allOperators + custom).map { ($0.name, $0) }, uniquingKeysWith: { $1 })
  }

  package subscript(name: String) -> OperatorDefinition? { definitions[name] }
}
