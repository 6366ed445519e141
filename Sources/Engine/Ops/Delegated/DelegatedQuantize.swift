import OcellusKernelABI

/// QUANTIZE of floats as in XNNPACK, and to 16 bits as in LiteRT's built-in kernel: times the reciprocal of the scale, with ties to even.
struct DelegatedQuantize: Operator {
  private let loop: ElementLoop
  private let inverse: Float
  private let zeroPoint: Int32

  init(_ node: NodeSpec) throws(ModelError) {
    let output = try node.output(0)
    let target = try node.affineScale(of: output)
    inverse = 1 / target.scale
    zeroPoint = Int32(target.zeroPoint)
    loop =
      switch output.type {
      case .int8: Self.loop(of: Int8.self, inverse, zeroPoint)
      case .uint8: Self.loop(of: UInt8.self, inverse, zeroPoint)
      default: Self.loop(of: Int16.self, inverse, zeroPoint)
      }
  }

  private static func loop<Stored: FixedWidthInteger & BitwiseCopyable & SendableMetatype>(
    of _: Stored.Type, _ inverse: Float, _ zeroPoint: Int32
  ) -> ElementLoop {
    let range = Int32(Stored.min)...Int32(Stored.max)
    return ElementLoop(
      mapping: .body { input, output in
        let (source, target) = (input.values(Float.self), output.values(Stored.self))
        for chunk in output.chunks(of: source.count) {
          for index in chunk {
            let steps = (source[index] * inverse).roundedToStep
            target[index] = Stored(truncatingIfNeeded: (steps &+ zeroPoint).clamped(to: range))
          }
        }
      })
  }

  func outputShapes(_ context: ShapeContext) -> [Shape] { [context.shape(0)] }

  func run(_ context: RunContext) { loop.apply(context.input(0), context.output(0)) }

  func plan(_ context: PlanContext) -> Step? {
    let type = context.node.outputs[0].type
    guard type != .int16, type.quantizedRange.contains(zeroPoint) else {
      return .plain(loop, context)
    }
    // The kernel rounds to signed bytes.
    let makesUnsigned = type == .uint8
    let signedZeroPoint = makesUnsigned ? zeroPoint - 128 : zeroPoint
    let round = context.kernels.floatQuantization.round
    return .elements("float32 to \(type.name)", context) { [inverse] row in
      round(
        FloatQuantizationArguments(
          input: row.input.assumingMemoryBound(to: Float.self), count: row.count, factor: inverse,
          zeroPoint: signedZeroPoint, roundsToEven: true, minimum: -128, maximum: 127,
          makesUnsigned: makesUnsigned, output: row.output))
    }
  }
}
