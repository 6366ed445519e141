import OcellusPlatform

/// The discrete Fourier transform of a number of values that is a power of two.
package struct FourierTransform {
  package let length: Int
  /// `exp(-2πi k / length)` for the first half of the circle.
  private let roots: UnsafePointer<Complex<Double>>

  /// - Precondition: `length` is a power of two, and `roots` has room for half as many numbers and
  ///   stays as long as the transform.
  package init(length: Int, roots: UnsafeMutablePointer<Complex<Double>>) {
    precondition(length > 0 && length & (length - 1) == 0, "not a power of two")
    self.length = length
    for index in 0..<length / 2 {
      let angle = -2 * Double.pi * Double(index) / Double(length)
      roots[index] = Complex(cos(angle), sin(angle))
    }
    self.roots = UnsafePointer(roots)
  }

  /// The multiply-adds of one transform, four for each complex product.
  package static func multiplyAdds(length: Int) -> Int {
    saturatingProduct(2 * length, length.trailingZeroBitCount)
  }

  /// Transforms `length` values in place, `stride` elements from one to the next: Cooley and
  /// Tukey, with the values in bit-reversed order first.
  package func apply(_ values: UnsafeMutablePointer<Complex<Double>>, stride: Int = 1) {
    reorder(values, stride: stride)
    var half = 1
    while half < length {
      let rootStep = length / (2 * half)
      for start in Swift.stride(from: 0, to: length, by: 2 * half) {
        for index in 0..<half {
          let (even, odd) = ((start + index) * stride, (start + index + half) * stride)
          let turned = values[odd] * roots[index * rootStep]
          values[odd] = values[even] - turned
          values[even] = values[even] + turned
        }
      }
      half *= 2
    }
  }

  private func reorder(_ values: UnsafeMutablePointer<Complex<Double>>, stride: Int) {
    var reversed = 0
    for index in 1..<max(length, 1) {
      // Adds one to the number whose bits are in reverse.
      var bit = length / 2
      while reversed & bit != 0 {
        reversed ^= bit
        bit /= 2
      }
      reversed |= bit
      if index < reversed {
        let value = values[index * stride]
        values[index * stride] = values[reversed * stride]
        values[reversed * stride] = value
      }
    }
  }
}
