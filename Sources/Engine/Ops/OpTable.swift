/// Every operator the engine can run, by name.
///
/// To add one: a file beside this one, a line here, a sample in `TestSupport/Samples.swift`.
package let allOperators: [OperatorDefinition] = [
  Unary.abs,
  Addition.add,
  ArgExtremum.maximum,
  ArgExtremum.minimum,
  Unary.ceil,
  Concatenation.definition,
  Unary.cos,
  CumulativeSum.definition,
  Div.definition,
  Unary.elu,
  Unary.exp,
  ExpandDims.definition,
  Unary.floor,
  Unary.gelu,
  Unary.hardSwish,
  Unary.leakyRelu,
  Unary.log,
  Unary.logistic,
  LogSoftmax.definition,
  Reduction.mean,
  MirrorPad.definition,
  Mul.definition,
  Unary.neg,
  Pack.definition,
  Pad.zero,
  Pad.value,
  Prelu.definition,
  Reduction.all,
  Reduction.any,
  Reduction.maximum,
  Reduction.minimum,
  Reduction.product,
  Unary.relu,
  Unary.relu6,
  Unary.relu0To1,
  Unary.reluN1To1,
  Reshape.definition,
  Resize.bilinear,
  Resize.nearestNeighbor,
  Unary.round,
  Unary.rsqrt,
  Unary.sign,
  Unary.sin,
  Slice.definition,
  Softmax.definition,
  Split.even,
  Split.sized,
  Unary.sqrt,
  Unary.square,
  Squeeze.definition,
  StridedSlice.definition,
  Addition.sub,
  Reduction.sum,
  Unary.tanh,
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
