import OcellusKernelABI

/// Lists the strategies for bytes.
///
/// The first interleaves input rows beforehand, and the others read windows in place.
func quantizedDepthwise(_ add: StrategyListing<PatchGeometry, QuantizedDepthwise>) {
  list(InterleavedWindows.self, add)
  list(SingleWindowStrategy.self, add)
  #if DIRECT_WINDOWS
    list(DirectWindows.self, add)
  #elseif WINDOW_QUADS
    list(WindowQuadsStrategy.self, add)
  #endif
}

/// A strategy of the family, for any epilogue.
protocol QuantizedDepthwiseStrategy: SendableMetatype {
  static var name: StaticString { get }
  static func refusal(_ geometry: PatchGeometry) -> StrategyRefusal?
  static func work(_ geometry: PatchGeometry) -> KernelWork
  static func packedByteCount(_ geometry: PatchGeometry) -> Int
  static func pack(_ arguments: QuantizedDepthwisePackingArguments)
  static func scratchByteCount(_ geometry: PatchGeometry) -> Int
  static func run<Writer: SumWriter>(
    _ arguments: WindowBlock<QuantizedEpilogue>, _ scaling: Writer.Scaling, _: Writer.Type)
}

private func list<Strategy: QuantizedDepthwiseStrategy>(
  _: Strategy.Type, _ add: StrategyListing<PatchGeometry, QuantizedDepthwise>
) {
  add(
    Strategy.name, { Strategy.refusal($0) }, { Strategy.work($0) },
    QuantizedDepthwise(
      packedByteCount: { PackedHeader.byteCount + Strategy.packedByteCount($0) },
      pack: { arguments in
        packHeader(arguments)
        Strategy.pack(arguments)
      },
      scratchByteCount: { Strategy.scratchByteCount($0) },
      run: { convolve($0, Strategy.self) }))
}

/// Writes the header, with the kind of scaling.
private func packHeader(_ arguments: QuantizedDepthwisePackingArguments) {
  let geometry = arguments.geometry
  let kind = scaleKind(
    arguments.requantization, bias: arguments.bias, columns: geometry.channels,
    weight: weightBound(
      depth: geometry.windowHeight &* geometry.windowWidth, arguments.filterFormat))
  PackedHeader(scaleKind: kind, rowCorrection: 0).write(to: arguments.packed)
}

/// Runs a strategy with the epilogue that the packed weights ask for.
private func convolve<Strategy: QuantizedDepthwiseStrategy>(
  _ arguments: WindowBlock<QuantizedEpilogue>, _: Strategy.Type
) {
  let range = arguments.epilogue.range
  if let hybrid = arguments.epilogue.hybrid {
    return Strategy.run(arguments, hybrid, HybridWriter.self)
  }
  switch PackedHeader(arguments.packed).scaleKind {
  case ScaleKind.bounded where range.minimum >= range.zeroPoint:
    Strategy.run(arguments, range, ScaledWriter<RectifiedScale>.self)
  case ScaleKind.bounded: Strategy.run(arguments, range, ScaledWriter<BoundedScale>.self)
  case ScaleKind.fixedPoint: Strategy.run(arguments, range, ScaledWriter<FixedPointScale>.self)
  case ScaleKind.single: Strategy.run(arguments, range, ScaledWriter<SingleScale>.self)
  case ScaleKind.real: Strategy.run(arguments, range, ScaledWriter<RealScale>.self)
  default: Strategy.run(arguments, range, PlainWriter.self)
  }
}
