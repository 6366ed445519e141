/// A vector that enters a recurrent cell: as numbers, and rounded to 8 bits for weights that are.
struct CellVector {
  let numbers: UnsafeMutableBufferPointer<Float>
  /// The rounded numbers; unused with weights that are floats.
  let integers: UnsafeMutableBufferPointer<Int8>
  let quantization: HybridQuantization?

  /// How vectors are rounded, if they are.
  enum Rounding { case none, symmetric, asymmetric }

  /// Rounds the numbers into `integers`, which holds at least as many.
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
  /// The elements of one row among rows of equal length that lie one behind the other.
  func row(_ index: Int, _ length: Int) -> Self {
    Self(rebasing: self[index * length..<(index + 1) * length])
  }

  /// Takes the elements of another buffer, unless the run is stopped.
  func update(from other: Self, _ control: RunControl) {
    for chunk in StoppableChunks(of: other.count, control) {
      for index in chunk { self[index] = other[index] }
    }
  }
}
