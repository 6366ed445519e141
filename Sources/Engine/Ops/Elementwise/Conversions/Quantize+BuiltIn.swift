extension Quantize {
  /// Makes a conversion between the two types of bytes with the bits of LiteRT's built-in kernel,
  /// which rounds twice.
  ///
  /// - Returns: `nil` for other types.
  init?(builtIn node: NodeSpec) throws(ModelError) {
    let (input, output) = (try node.input(0), try node.output(0))
    let bytes: [ElementType] = [.int8, .uint8]
    guard bytes.contains(input.type), bytes.contains(output.type), input.type != output.type else {
      return nil
    }
    let change = try IntegerRequantization(node, from: input, to: output)
    kernel = .table(
      ByteTable(of: input.type, to: output.type) { stored in
        let distance = Int32(truncatingIfNeeded: stored - change.inputZeroPoint)
        return change.multiplier.scaleWithTiesUpwards(distance) + change.outputZeroPoint
      })
  }
}

extension FixedPointMultiplier {
  /// Multiplies like the library ruy: rounded to the unit of the product, and then to integers with
  /// ties upwards.
  func scaleWithTiesUpwards(_ number: Int32) -> Int {
    let (left, right) = (max(exponent, 0), max(-exponent, 0))
    let high = Int(saturatingRoundingDoublingHigh(number &<< Int32(left), fraction))
    return right > 0 ? (high + (1 << (right - 1))) >> right : high
  }
}
