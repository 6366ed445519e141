/// An input vector of a recurrent cell, as floats and, for 8-bit weights, rounded to 8 bits.
struct CellVector {
  let numbers: UnsafeMutableBufferPointer<Float>
  /// The rounded numbers; unused for float weights.
  let integers: UnsafeMutableBufferPointer<Int8>
  let quantization: HybridQuantization?

  /// The rounding of vectors.
  enum Rounding { case none, symmetric, asymmetric }

  /// Rounds the numbers into `integers`, which has at least the same size.
  init(
    _ numbers: UnsafeMutableBufferPointer<Float>, _ rounding: Rounding,
    into integers: UnsafeMutableBufferPointer<Int8>, _ control: RunControl
  ) {
    self.numbers = numbers
    self.integers = integers
    switch rounding {
    case .none: quantization = nil
    case .symmetric:
      quantization = .symmetric(
        UnsafeBufferPointer(numbers), to: integers.row(0, numbers.count), control)
    case .asymmetric:
      quantization = .asymmetric(
        UnsafeBufferPointer(numbers), to: integers.row(0, numbers.count), control)
    }
  }
}

extension UnsafeMutableBufferPointer {
  /// Returns the elements of one row of a matrix with contiguous rows of equal length.
  func row(_ index: Int, _ length: Int) -> Self {
    Self(rebasing: self[index * length..<(index + 1) * length])
  }

  /// Copies the elements of another buffer, unless the run is stopped.
  func update(from other: Self, _ control: RunControl) {
    for chunk in StoppableChunks(of: other.count, control) {
      for index in chunk { self[index] = other[index] }
    }
  }
}
