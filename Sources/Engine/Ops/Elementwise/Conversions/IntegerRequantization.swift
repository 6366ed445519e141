/// A requantization of integers to another scale and zero point.
package struct IntegerRequantization: Sendable {
  package let inputZeroPoint: Int
  package let outputZeroPoint: Int
  package let multiplier: FixedPointMultiplier

  init(
    _ node: NodeSpec, from input: TensorSpec, to output: TensorSpec
  ) throws(ModelError) {
    let (source, target) = (try node.affineScale(of: input), try node.affineScale(of: output))
    inputZeroPoint = source.zeroPoint
    outputZeroPoint = target.zeroPoint
    multiplier = try node.multiplier(Double(source.scale) / Double(target.scale))
  }

  /// Rescales a number without clamping it.
  @inline(__always)
  func callAsFunction(_ stored: Int) -> Int {
    Int(multiplier.scale(Int32(truncatingIfNeeded: stored - inputZeroPoint))) + outputZeroPoint
  }

  /// Requantizes a tensor of any supported types except 8 bits to 8 bits.
  func apply(_ input: TensorView, _ output: TensorView) {
    let chunks = output.chunks(of: input.elementCount)
    switch (input.type, output.type) {
    case (.uint8, _): apply(input.values(UInt8.self), output.values(Int16.self), chunks)
    case (.int8, _): apply(input.values(Int8.self), output.values(Int16.self), chunks)
    case (.int16, .int8): apply(input.values(Int16.self), output.values(Int8.self), chunks)
    case (.int16, .int16): apply(input.values(Int16.self), output.values(Int16.self), chunks)
    case (.int16, _): apply(input.values(Int16.self), output.values(Int32.self), chunks)
    case (_, .int8): apply(input.values(Int32.self), output.values(Int8.self), chunks)
    default: apply(input.values(Int32.self), output.values(Int16.self), chunks)
    }
  }

  private func apply<Source: FixedWidthInteger, Target: FixedWidthInteger>(
    _ source: UnsafeMutableBufferPointer<Source>, _ target: UnsafeMutableBufferPointer<Target>,
    _ chunks: StoppableChunks
  ) {
    for chunk in chunks {
      for index in chunk { target[index] = Target(clamping: self(Int(source[index]))) }
    }
  }
}
