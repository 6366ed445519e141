import OcellusPlatform

/// LOGISTIC and TANH of 16-bit tensors, interpolated linearly in one table of the sigmoid.
///
/// Arguments are in units of 1/12288: 2¹⁷ of them reach 10.7, where the sigmoid rounds to 1.
package enum SigmoidTable {
  package enum Function: Sendable {
    case logistic
    case tanh
  }

  /// The sigmoid at multiples of 1/24, in units of 2⁻¹⁶.
  ///
  /// Each entry is raised by half the distance between the curve and the chord to the next entry,
  /// which halves the interpolation error. The last entries are the largest number.
  private static let entries: [Int32] = (0...256).map { index in
    if index >= 255 { return 65535 }
    func sigmoid(_ position: Double) -> Double { 65536 / (1 + exp(-position / 24)) }
    let position = Double(index)
    let chord = (sigmoid(position) + sigmoid(position + 1)) / 2
    let lift = (sigmoid(position + 0.5) - chord) / 2
    return Int32((sigmoid(position) + lift).rounded())
  }

  /// A factor and a right shift that convert an argument to units of 1/12288.
  private struct ArgumentScale {
    var multiplier: Int32
    var shift: Int32

    /// Converts a scale; 2^(s - 12), with s in `pointShifts`, needs no rounding.
    init(scale: Float, pointShifts: ClosedRange<Int>) {
      if let exponent = scale.roundedPowerOfTwo, pointShifts.contains(12 + exponent) {
        self.init(multiplier: 3 << Int32(12 + exponent), shift: 0)
        return
      }
      var (factor, shift) = (Double(scale) * 4096 * 3, Int32(0))
      while factor <= 32767 / 2.0 && shift <= 30 {
        shift += 1
        factor *= 2
      }
      self.init(multiplier: Int32(saturating: factor), shift: shift)
    }

    private init(multiplier: Int32, shift: Int32) {
      self.multiplier = multiplier
      self.shift = shift
    }

    @inline(__always)
    func apply(_ argument: Int16) -> Int32 {
      let rounding: Int32 = shift > 0 ? 1 &<< (shift - 1) : 0
      return (Int32(argument) &* multiplier &+ rounding) >> shift
    }
  }

  /// Returns the loop for a node with 16-bit operand and result.
  static func loop(_ node: NodeSpec, _ function: Function) throws(ModelError) -> ElementLoop {
    let (input, output) = (try node.input(0), try node.output(0))
    try node.requireSymmetric(input)
    try node.requireSymmetric(output)
    let outputScale = try node.affineScale(of: output).scale
    let isExact = function == .tanh || outputScale == 1 / 32768
    try node.require(
      isExact && outputScale.roundedPowerOfTwo == -15,
      "output \(output.label) has the scale \(outputScale), must be 1/32768")
    let inputScale = try node.affineScale(of: input).scale
    switch function {
    case .logistic:
      let scale = ArgumentScale(scale: inputScale, pointShifts: 0...0)
      return loop(scale, Logistic.self)
    case .tanh:
      let scale = ArgumentScale(scale: inputScale, pointShifts: 0...1)
      return loop(scale, Tanh.self)
    }
  }

  private static func loop<Curve: InterpolatedCurve>(
    _ scale: ArgumentScale, _: Curve.Type
  ) -> ElementLoop {
    ElementLoop(
      mapping: .body { input, output in
        let (source, target) = (input.values(Int16.self), output.values(Int16.self))
        entries.withUnsafeBufferPointer { entries in
          guard let entries = entries.baseAddress else { return }
          for chunk in output.chunks(of: source.count) {
            for index in chunk {
              target[index] = Curve.value(at: scale.apply(source[index]), entries)
            }
          }
        }
      })
  }

  // The signs of arguments are unpredictable, so these functions avoid branches.

  private enum Logistic: InterpolatedCurve {
    /// Mirrors negative arguments, `sigmoid(-x) = 1 - sigmoid(x)`: complements the bits and adds 1.
    @inline(__always)
    static func value(at argument: Int32, _ entries: UnsafePointer<Int32>) -> Int16 {
      let value = interpolate(argument, entries, fractionBits: 9, saturated: 0x7FFF << 10)
      let sign = argument &>> 31
      let (one, rounding): (Int32, Int32) = (1 << 25, 1 << 9)
      return Int16(truncatingIfNeeded: ((value ^ sign) &+ (one & sign) &+ rounding) &>> 10)
    }
  }

  /// `tanh(x) = 2 · sigmoid(2x) − 1`.
  private enum Tanh: InterpolatedCurve {
    @inline(__always)
    static func value(at argument: Int32, _ entries: UnsafePointer<Int32>) -> Int16 {
      let value = interpolate(argument, entries, fractionBits: 8, saturated: 0xFFFF << 8)
      let sign = argument &>> 31
      let (one, rounding): (Int32, Int32) = (1 << 23, 1 << 7)
      return Int16(truncatingIfNeeded: (((value &- one) ^ sign) &+ rounding) &>> 8)
    }
  }

  @inline(__always)
  private static func interpolate(
    _ argument: Int32, _ entries: UnsafePointer<Int32>, fractionBits: Int32, saturated: Int32
  ) -> Int32 {
    let sign = argument &>> 31
    let magnitude = (argument ^ sign) &- sign
    let limit: Int32 = 255 &<< fractionBits
    let isBelow = (magnitude &- limit) &>> 31
    let bounded = limit &+ ((magnitude &- limit) & isBelow)
    let index = Int(bounded &>> fractionBits)
    let fraction = bounded & (1 &<< fractionBits &- 1)
    let (entry, next) = (entries[index], entries[index &+ 1])
    let value = entry &<< fractionBits &+ fraction &* (next &- entry)
    return saturated ^ ((value ^ saturated) & isBelow)
  }
}

/// A function that is interpolated between the entries of the table.
private protocol InterpolatedCurve {
  static func value(at argument: Int32, _ entries: UnsafePointer<Int32>) -> Int16
}

extension Float {
  /// The exponent of a power of two within 1/1000 octave of this number, if there is one.
  fileprivate var roundedPowerOfTwo: Int? {
    let exponent = logf(self) * (1 / logf(2))
    let rounded = exponent.rounded(.toNearestOrAwayFromZero)
    return abs(exponent - rounded) < 1e-3 ? Int(rounded) : nil
  }
}
