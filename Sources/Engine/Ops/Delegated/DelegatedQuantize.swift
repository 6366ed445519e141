import OcellusKernelABI

/// QUANTIZE of floats as in XNNPACK: times the reciprocal of the scale, with ties to even.
struct DelegatedQuantize: Operator {
  private let loop: ElementLoop

  init(_ node: NodeSpec) throws(ModelError) {
    let output = try node.output(0)
    let target = try node.affineScale(of: output)
    loop =
      output.type == .int8
      ? Self.loop(of: Int8.self, target) : Self.loop(of: UInt8.self, target)
  }

  private static func loop<Stored: FixedWidthInteger & BitwiseCopyable & SendableMetatype>(
    of _: Stored.Type, _ target: AffineScale
  ) -> ElementLoop {
    let inverse = 1 / target.scale
    let zeroPoint = Int32(target.zeroPoint)
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

  func plan(_ context: PlanContext) -> Step? { .plain(loop, context) }
}
