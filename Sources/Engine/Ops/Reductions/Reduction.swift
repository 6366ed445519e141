import OcellusModelFile

/// MEAN, SUM and the REDUCE_… family: reductions along some axes.
package struct Reduction: Operator {
  enum Kind { case sum, mean, product, maximum, minimum, any, all }

  /// The arithmetic of this node, which depends on the kind, the type and the quantization.
  enum Arithmetic {
    /// Arithmetic in the element type.
    case plain
    case quantizedMean(FixedPointMultiplier)
    case quantizedSum(FixedPointMultiplier)
    /// As in the official default kernels: the reference kernel reads `int8` and `int16` as
    /// `uint8`.
    case rescaledSum(scale: Float)
    case quantizedProduct(inputScale: Double, outputScale: Double)
    /// In single precision, with ties to even: XNNPACK's sum or mean.
    case delegated(scale: Float)
  }

  package static let mean = definition(
    "MEAN", .mean, versions: 1...3, types: [.float32, .int32, .int64, .int8, .uint8, .int16])
  package static let sum = definition("SUM", .sum, versions: 1...2)
  package static let product = definition("REDUCE_PROD", .product, versions: 1...2)
  package static let maximum = definition("REDUCE_MAX", .maximum, versions: 1...3)
  package static let minimum = definition("REDUCE_MIN", .minimum, versions: 1...3)
  package static let any = definition("REDUCE_ANY", .any, versions: 1...1, types: [.bool])
  package static let all = definition("REDUCE_ALL", .all, versions: 1...1, types: [.bool])

  private static func definition(
    _ name: String, _ kind: Kind, versions: ClosedRange<Int>,
    types: [ElementType] = [.float32, .int32, .int64, .int8, .uint8, .int16, .bool]
  ) -> OperatorDefinition {
    OperatorDefinition(name, versions: versions, types: types) { node throws(ModelError) in
      try Self(node, kind)
    }
  }

  package let shapeInputs = [1]
  let kind: Kind
  private(set) var arithmetic: Arithmetic
  let inputZeroPoint: Int32
  let outputZeroPoint: Int32
  private let keepsDimensions: Bool

  init(_ node: NodeSpec, _ kind: Kind) throws(ModelError) {
    try node.requireOperands(2)
    let (input, output) = (try node.input(0), try node.output(0))
    try node.require(try node.input(1), .int32)
    try node.requireSameType(input, output)
    keepsDimensions = try node.options(BuiltinOptionsTag.reducer).bool(0)
    self.kind = kind
    arithmetic = try Self.arithmetic(kind, node, input, output)
    (inputZeroPoint, outputZeroPoint) = try Self.zeroPoints(node, input, output)
  }

  private static func arithmetic(
    _ kind: Kind, _ node: NodeSpec, _ input: TensorSpec, _ output: TensorSpec
  ) throws(ModelError) -> Arithmetic {
    let has8Or16Bits = [.int8, .uint8, .int16].contains(input.type)
    switch kind {
    case .mean, .sum:
      guard has8Or16Bits else { return .plain }
      let scales = (
        try node.perTensorQuantization(of: input).scale,
        try node.perTensorQuantization(of: output).scale
      )
      if kind == .sum && input.type != .uint8 { return .rescaledSum(scale: scales.0 / scales.1) }
      guard let multiplier = FixedPointMultiplier(Double(scales.0) / Double(scales.1)) else {
        throw node.error("the scales \(scales.0) and \(scales.1) cannot be converted")
      }
      return kind == .mean ? .quantizedMean(multiplier) : .quantizedSum(multiplier)
    case .product where input.quantization != nil:
      try node.require(input, .int8, .int16)
      return .quantizedProduct(
        inputScale: Double(try node.perTensorQuantization(of: input).scale),
        outputScale: Double(try node.perTensorQuantization(of: output).scale))
    case .product, .maximum, .minimum, .any, .all:
      if has8Or16Bits { try node.requireSameQuantization(input, output) }
      return .plain
    }
  }

  private static func zeroPoints(
    _ node: NodeSpec, _ input: TensorSpec, _ output: TensorSpec
  ) throws(ModelError) -> (Int32, Int32) {
    let points = (input.uniformZeroPoint, output.uniformZeroPoint)
    try node.require(
      input.type != .int16 || points == (0, 0), "int16 tensors must have the zero point 0")
    guard let first = Int32(exactly: points.0), let second = Int32(exactly: points.1) else {
      throw node.error("the zero points \(points.0) and \(points.1) are out of range")
    }
    return (first, second)
  }

  // MARK: Shapes

  package func outputShapes(_ context: ShapeContext) throws(ModelError) -> [Shape] {
    let input = context.shape(0)
    let axes = try context.integers(1)
    if input.rank > 0 {
      for axis in axes { _ = try context.axis(axis, rank: input.rank) }
    }
    let isReduced = ReductionLayout.marks(axes, rank: input.rank)
    let kept = zip(input.dimensions, isReduced).compactMap { extent, isReduced in
      isReduced ? (keepsDimensions ? 1 : nil) : extent
    }
    return [Shape(kept)]
  }

  // MARK: Running

  package func run(_ context: RunContext) throws(ModelError) {
    switch context.input(0).type {
    case .float32:
      if context.isDelegated, kind == .sum || kind == .mean, runDelegatedFloats(context) { return }
      try runLargeElements(context, of: Float.self)
    case .int32: try runLargeElements(context, of: Int32.self)
    case .int64: try runLargeElements(context, of: Int64.self)
    case .int8: try runSmallIntegers(context, of: Int8.self)
    case .uint8: try runSmallIntegers(context, of: UInt8.self)
    case .int16: try runSmallIntegers(context, of: Int16.self)
    case .bool: runLogical(context)
    default: preconditionFailure("a type that the definition does not list")
    }
  }

  func layout(_ context: RunContext) -> ReductionLayout {
    ReductionLayout(context.input(0).shape, reducing: Array(context.input(1).integers))
  }

  private func runLargeElements<Element: ReducibleElement>(
    _ context: RunContext, of _: Element.Type
  ) throws(ModelError) {
    guard kind == .mean else { return fold(context, of: Element.self) }
    let layout = layout(context)
    let output = context.output(0).values(Element.self)
    try context.withScratch(Element.Sum.self, count: layout.keptCount) { sums in
      layout.fold(context.input(0).values(Element.self), into: sums, context.control) {
        Element.Sum.sum($0, $1.widened)
      }
      for chunk in context.chunks(of: output.count) {
        for index in chunk {
          output[index] = Element.mean(of: sums[index], count: layout.reducedCount)
        }
      }
    }
  }

  /// Folds elements in their own type.
  func fold<Element: ReducibleElement>(_ context: RunContext, of _: Element.Type) {
    let layout = layout(context)
    let input = context.input(0).values(Element.self)
    let output = context.output(0).values(Element.self)
    func fold(from start: Element, _ combine: (Element, Element) -> Element) {
      output.update(repeating: start, context.control)
      layout.fold(input, into: output, context.control, combine)
    }
    // The official kernels start from the first element where they reduce all axes. This matters
    // for infinities, and for NaN, which no comparison replaces.
    let first = layout.reducesAllAxes ? input.first : nil
    switch kind {
    case .sum, .mean: fold(from: .zero, Element.sum)
    case .product: fold(from: .one, Element.product)
    case .maximum: fold(from: first ?? .lowest) { $1 > $0 ? $1 : $0 }
    case .minimum: fold(from: first ?? .highest) { $1 < $0 ? $1 : $0 }
    case .any, .all: preconditionFailure("logical reductions take bool only")
    }
  }

  /// Reduces truth values: a sum is a disjunction and a product a conjunction, as in C.
  private func runLogical(_ context: RunContext) {
    let layout = layout(context)
    let input = context.input(0).values(Boolean.self)
    let output = context.output(0).values(Boolean.self)
    switch kind {
    case .any, .sum, .maximum, .mean:
      output.update(repeating: Boolean(false), context.control)
      layout.fold(input, into: output, context.control) { Boolean($0.isTrue || $1.isTrue) }
    case .all, .product, .minimum:
      output.update(repeating: Boolean(true), context.control)
      layout.fold(input, into: output, context.control) { Boolean($0.isTrue && $1.isTrue) }
    }
  }
}

extension Reduction {
  /// Returns the sum or mean of bytes as XNNPACK computes it; `nil` for other reductions.
  func delegated(_ node: NodeSpec) throws(ModelError) -> Self? {
    let (input, output) = (try node.input(0), try node.output(0))
    guard kind == .sum || kind == .mean, input.type == .int8 || input.type == .uint8 else {
      return nil
    }
    var reduction = self
    reduction.arithmetic = .delegated(scale: input.uniformScale / output.uniformScale)
    return reduction
  }
}
