import OcellusPlatform

/// The discrete Fourier transform of complex values whose number is a power of two.
package struct FourierTransform {
  package let length: Int
  /// `exp(-2πi k / length)` for the first half of the circle.
  private let roots: UnsafePointer<Complex<Double>>
  private let control: RunControl?

  /// - Precondition: `length` is a power of two; `roots` has capacity for half as many numbers and
  ///   outlives the transform.
  package init(
    length: Int, roots: UnsafeMutablePointer<Complex<Double>>, _ control: RunControl? = nil
  ) {
    precondition(length > 0 && length & (length - 1) == 0, "not a power of two")
    self.length = length
    self.control = control
    for chunk in StoppableChunks(of: length / 2, workOfEach: 16, control) {
      for index in chunk {
        let angle = -2 * Double.pi * Double(index) / Double(length)
        roots[index] = Complex(cos(angle), sin(angle))
      }
    }
    self.roots = UnsafePointer(roots)
  }

  /// Returns the number of multiply-adds of one transform, four for each complex multiplication.
  package static func multiplyAdds(length: Int) -> Int {
    saturatingProduct(2 * length, length.trailingZeroBitCount)
  }

  /// Transforms `length` values in place, `stride` elements apart, by the Cooley–Tukey algorithm.
  ///
  /// The values are first permuted into bit-reversed order.
  package func apply(_ values: UnsafeMutablePointer<Complex<Double>>, stride: Int = 1) {
    reorder(values, stride: stride)
    var half = 1
    while half < length {
      let rootStep = length / (2 * half)
      for blocks in StoppableChunks(of: rootStep, workOfEach: 4 * half, control) {
        for block in blocks {
          let start = block * 2 * half
          forEachChunk(of: half, workOfEach: 4, control) { chunk in
            for index in chunk {
              let (even, odd) = ((start + index) * stride, (start + index + half) * stride)
              let rotated = values[odd] * roots[index * rootStep]
              values[odd] = values[even] - rotated
              values[even] = values[even] + rotated
            }
          }
        }
      }
      half *= 2
    }
  }

  private func reorder(_ values: UnsafeMutablePointer<Complex<Double>>, stride: Int) {
    var reversed = 0
    var work = StoppableWork(control)
    for index in 1..<max(length, 1) {
      if work.isOver(after: 4) { return }
      // Adds one to the bit-reversed number.
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
