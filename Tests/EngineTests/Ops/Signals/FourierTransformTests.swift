import OcellusEngine
import Testing

@Suite struct FourierTransformTests {
  private func transform(_ reals: [Double], stride: Int = 1) -> [Complex<Double>] {
    var values = reals.map { Complex($0, 0) }
    values.withUnsafeMutableBufferPointer { buffer in
      guard let base = buffer.baseAddress else { return }
      let length = reals.count / stride
      withUnsafeTemporaryAllocation(of: Complex<Double>.self, capacity: length) { roots in
        guard let roots = roots.baseAddress else { return }
        FourierTransform(length: length, roots: roots).apply(base, stride: stride)
      }
    }
    return values
  }

  @Test(arguments: [1, 2, 8])
  func anImpulseHasAllFrequencies(length: Int) {
    let impulse = (0..<length).map { $0 == 0 ? 1.0 : 0 }
    for value in transform(impulse) {
      #expect(value.real == 1 && value.imaginary == 0)
    }
  }

  /// The expected sums of 1, 2, 3, 4 times powers of -i were computed by hand.
  @Test func fourValues() {
    let values = transform([1, 2, 3, 4])
    let expected = [(10.0, 0.0), (-2, 2), (-2, 0), (-2, -2)]
    for (value, (real, imaginary)) in zip(values, expected) {
      #expect(abs(value.real - real) < 1e-15 && abs(value.imaginary - imaginary) < 1e-15)
    }
  }

  @Test func othersInBetweenStay() {
    let values = transform([1, 7, 2, 7, 3, 7, 4, 7], stride: 2)
    #expect(values[0].real == 10)
    #expect([1, 3, 5, 7].allSatisfy { values[$0].real == 7 })
  }
}
