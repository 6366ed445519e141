/// Integers of one quantization brought to another one.
package struct ScaleChange: Sendable {
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

  /// Not yet clamped.
  @inline(__always)
  func callAsFunction(_ stored: Int) -> Int {
    Int(multiplier.scale(Int32(truncatingIfNeeded: stored - inputZeroPoint))) + outputZeroPoint
  }

  /// Everything but 8 bits to 8 bits.
  func apply(_ input: TensorView, _ output: TensorView) {
    switch (input.type, output.type) {
    case (.uint8, _): apply(input.values(UInt8.self), output.values(Int16.self))
    case (.int8, _): apply(input.values(Int8.self), output.values(Int16.self))
    case (.int16, .int8): apply(input.values(Int16.self), output.values(Int8.self))
    case (.int16, .int16): apply(input.values(Int16.self), output.values(Int16.self))
    case (.int16, _): apply(input.values(Int16.self), output.values(Int32.self))
    case (_, .int8): apply(input.values(Int32.self), output.values(Int8.self))
    default: apply(input.values(Int32.self), output.values(Int16.self))
    }
  }

  private func apply<Source: FixedWidthInteger, Target: FixedWidthInteger>(
    _ source: UnsafeMutableBufferPointer<Source>, _ target: UnsafeMutableBufferPointer<Target>
  ) {
    for index in source.indices { target[index] = Target(clamping: self(Int(source[index]))) }
  }
}
