import OcellusKernelABI
import OcellusModelFile

/// FAKE_QUANT: rounds floats to the values that a quantization can represent.
package struct FakeQuant: Operator {
  package static let definition = OperatorDefinition(
    "FAKE_QUANT", versions: 1...2, types: [.float32], resultType: .ofInput(0),
    make: { node throws(ModelError) in try Self(node) })

  private let scale: Float
  private let low: Float
  private let high: Float

  init(_ node: NodeSpec) throws(ModelError) {
    try node.requireAllOperands(1)
    try node.require(try node.output(0), .float32)
    let options = node.options(BuiltinOptionsTag.fakeQuant)
    let (minimum, maximum) = (try options.float(0), try options.float(1))
    let bitCount = try options.integer(2)
    guard try !options.bool(3) else {
      throw node.unsupported("narrow_range is meant for weights, not for activations")
    }
    try node.require((1...16).contains(bitCount), "num_bits is \(bitCount), must be 1 to 16")
    try node.require(
      maximum > minimum && (maximum - minimum).isFinite,
      "the range from \(minimum) to \(maximum) is empty or infinite")
    // The ends move to make 0 one of the steps.
    let highest = Float(1 << bitCount - 1)
    scale = (maximum - minimum) / highest
    let zeroPoint = (0 - minimum / scale).clamped(to: 0...highest)
      .rounded(.toNearestOrAwayFromZero)
    low = (0 - zeroPoint) * scale
    high = (highest - zeroPoint) * scale
  }

  package func outputShapes(_ context: ShapeContext) throws(ModelError) -> [Shape] {
    [context.shape(0)]
  }

  package func plan(_ context: PlanContext) throws(ModelError) -> Step? {
    .floats(
      .roundToSteps(FloatRange(lowerBound: low, upperBound: high), step: scale), context)
  }

  package func run(_ context: RunContext) throws(ModelError) {
    let (source, target) = (
      context.input(0).values(Float.self), context.output(0).values(Float.self)
    )
    let inverseScale = 1 / scale
    for chunk in context.chunks(of: source.count) {
      for index in chunk {
        let shifted = min(high, max(low, source[index])) - low
        target[index] = (shifted * inverseScale).rounded(.toNearestOrAwayFromZero) * scale + low
      }
    }
  }
}
