/// A function from `int16` to `int16` as 513 samples with linear interpolation.
///
/// The official kernels interpolate in the same way (`LUTPopulateInt16` and `LUTLookup`), so
/// results depend on every rounding in here.
package struct InterpolatedTable: Sendable {
  private static let stepCount = 512
  private let samples: [Int16]

  /// Samples a real function.
  ///
  /// Each sample is moved by half the interpolation error in the middle of its step.
  ///
  /// - Parameters:
  ///   - inputScale: the real number that one step of the argument stands for.
  ///   - inputZeroPoint: the argument that stands for 0.
  ///   - outputScale: the real number that one step of the result stands for.
  ///   - outputZeroPoint: the result that stands for 0.
  ///   - function: the function of real numbers.
  package init<Real: BinaryFloatingPoint>(
    inputScale: Real, inputZeroPoint: Int, outputScale: Real, outputZeroPoint: Int,
    _ function: (Real) -> Real
  ) {
    let inputMinimum = inputScale * Real(-32768 - inputZeroPoint)
    let inputMaximum = inputScale * Real(32767 - inputZeroPoint)
    let outputMinimum = outputScale * Real(-32768 - outputZeroPoint)
    let outputMaximum = outputScale * Real(32767 - outputZeroPoint)
    let step = (inputMaximum - inputMinimum) / Real(Self.stepCount)
    let inverseScale = Real(65536) / (outputMaximum - outputMinimum)
    func round(_ value: Real) -> Real { value.rounded(.toNearestOrAwayFromZero) }

    var samples: [Int16] = []
    samples.reserveCapacity(Self.stepCount + 1)
    for index in 0..<Self.stepCount {
      let start = inputMinimum + Real(index) * step
      let sample = round(function(start) * inverseScale)
      let next = function(inputMinimum + Real(index + 1) * step) * inverseScale
      let middle = round(function(start + step / 2) * inverseScale)
      let error = round((next + sample) / 2) - middle
      samples.append(Int16(saturating: sample - round(error / 2)))
    }
    samples.append(Int16(saturating: round(function(inputMaximum) * inverseScale)))
    self.samples = samples
  }

  /// The value interpolated between the two adjacent samples.
  package subscript(argument: Int16) -> Int16 {
    samples.withUnsafeBufferPointer { Self.interpolate(argument, $0) }
  }

  package func apply(_ input: TensorView, _ output: TensorView) {
    samples.withUnsafeBufferPointer { samples in
      let (source, target) = (input.values(Int16.self), output.values(Int16.self))
      for chunk in output.chunks(of: source.count) {
        for index in chunk { target[index] = Self.interpolate(source[index], samples) }
      }
    }
  }

  @inline(__always)
  private static func interpolate(
    _ argument: Int16, _ samples: UnsafeBufferPointer<Int16>
  ) -> Int16 {
    let index = stepCount / 2 + Int(argument >> 7)
    let base = samples[index]
    let slope = Int32(samples[index + 1] &- base)
    let delta = (slope * Int32(argument & 0x7F) + 64) >> 7
    return base &+ Int16(truncatingIfNeeded: delta)
  }
}
