/// Every operator the engine can run, by name.
///
/// To add one: a file beside this one, a line here, a sample in `TestSupport/Samples.swift`.
package let allOperators: [OperatorDefinition] = [
  Addition.add,
  ArgExtremum.maximum,
  ArgExtremum.minimum,
  Concatenation.definition,
  CumulativeSum.definition,
  Div.definition,
  ExpandDims.definition,
  Reduction.mean,
  MirrorPad.definition,
  Mul.definition,
  Pack.definition,
  Pad.zero,
  Pad.value,
  Reduction.all,
  Reduction.any,
  Reduction.maximum,
  Reduction.minimum,
  Reduction.product,
  Reshape.definition,
  Resize.bilinear,
  Resize.nearestNeighbor,
  Slice.definition,
  Split.even,
  Split.sized,
  Squeeze.definition,
  StridedSlice.definition,
  Addition.sub,
  Reduction.sum,
  TopK.definition,
  Transpose.definition,
  Unpack.definition,
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
