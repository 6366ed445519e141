/// A function from one 8-bit type to an 8-bit type, as a table of one result for each argument.
///
/// Every quantized function of one 8-bit operand can be represented exactly by such a table.
package struct ByteTable: Sendable {
  /// Results by the bit pattern of the argument.
  package let entries: [UInt8]

  /// Takes 256 results by the bit pattern of the argument.
  package init(entries: [UInt8]) { self.entries = entries }

  /// Tabulates a function of stored integers, clamping its results to the type's range.
  ///
  /// - Precondition: both types are `int8` or `uint8`; results have that of arguments if `nil`.
  package init(of type: ElementType, to resultType: ElementType? = nil, _ function: (Int) -> Int) {
    func range(of type: ElementType) -> ClosedRange<Int> { type == .int8 ? -128...127 : 0...255 }
    let results = range(of: resultType ?? type)
    var entries = [UInt8](repeating: 0, count: 256)
    for argument in range(of: type) {
      let result = function(argument).clamped(to: results)
      entries[Int(UInt8(truncatingIfNeeded: argument))] = UInt8(truncatingIfNeeded: result)
    }
    self.entries = entries
  }

  /// Tabulates a real function between two quantizations, with the roundings of `LUTPopulate`.
  package init(
    of type: ElementType, from input: AffineScale, to output: AffineScale,
    _ function: (Float) -> Float
  ) {
    let inverseScale = 1 / output.scale
    self.init(of: type) { argument in
      let real = input.scale * Float(argument - input.zeroPoint)
      let steps = (function(real) * inverseScale).rounded(.toNearestOrAwayFromZero)
      return Int(Int32(saturating: steps + Float(output.zeroPoint)))
    }
  }

  package func apply(_ input: TensorView, _ output: TensorView) {
    entries.withUnsafeBufferPointer { entries in
      let (source, target) = (input.values(UInt8.self), output.values(UInt8.self))
      for chunk in output.chunks(of: source.count) {
        for index in chunk { target[index] = entries[Int(source[index])] }
      }
    }
  }
}
