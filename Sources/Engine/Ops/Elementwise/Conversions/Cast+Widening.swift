/// The loops of CAST between a tensor and a chunk of `Double` or `Int64`.
extension TensorView {
  /// Converts a range of a tensor of floats to the start of a chunk.
  func widen(_ range: Range<Int>, to numbers: UnsafeMutableBufferPointer<Double>) {
    switch type {
    case .float16: convert(range, to: numbers) { (x: Float16) in Double(x) }
    case .bfloat16: convert(range, to: numbers) { (x: BFloat16) in Double(Float(x)) }
    case .float32: convert(range, to: numbers) { (x: Float) in Double(x) }
    case .complex64: convert(range, to: numbers) { (x: Complex<Float>) in Double(x.real) }
    default: convert(range, to: numbers) { (x: Double) in x }
    }
  }

  /// Converts a range of a tensor of integers or truth values to the start of a chunk.
  func widen(_ range: Range<Int>, to numbers: UnsafeMutableBufferPointer<Int64>) {
    switch type {
    case .bool: convert(range, to: numbers) { (x: UInt8) in x != 0 ? 1 : 0 }
    case .int8: convert(range, to: numbers) { (x: Int8) in Int64(x) }
    case .uint8: convert(range, to: numbers) { (x: UInt8) in Int64(x) }
    case .int16: convert(range, to: numbers) { (x: Int16) in Int64(x) }
    case .uint16: convert(range, to: numbers) { (x: UInt16) in Int64(x) }
    case .int32: convert(range, to: numbers) { (x: Int32) in Int64(x) }
    case .uint32: convert(range, to: numbers) { (x: UInt32) in Int64(x) }
    default: convert(range, to: numbers) { (x: Int64) in x }
    }
  }

  @inline(__always)
  private func convert<Element: BitwiseCopyable, Wide>(
    _ range: Range<Int>, to numbers: UnsafeMutableBufferPointer<Wide>,
    _ function: (Element) -> Wide
  ) {
    let elements = values(Element.self)
    for index in range { numbers[index - range.lowerBound] = function(elements[index]) }
  }

  /// Converts the start of a chunk of floats to a range of this tensor.
  func narrow(_ numbers: UnsafeMutableBufferPointer<Double>, to range: Range<Int>) {
    switch type {
    case .float16: convert(numbers, to: range) { Float16(Float($0)) }
    case .bfloat16: convert(numbers, to: range) { BFloat16(Float($0)) }
    case .float32: convert(numbers, to: range) { Float($0) }
    case .float64: convert(numbers, to: range) { $0 }
    case .complex64: convert(numbers, to: range) { Complex(Float($0), 0) }
    case .bool: convert(numbers, to: range) { $0 != 0 ? 1 as UInt8 : 0 }
    case .int8: convert(numbers, to: range) { Int8(castFrom: $0) }
    case .uint8: convert(numbers, to: range) { UInt8(castFrom: $0) }
    case .int16: convert(numbers, to: range) { Int16(castFrom: $0) }
    case .uint16: convert(numbers, to: range) { UInt16(castFrom: $0) }
    case .int32: convert(numbers, to: range) { Int32(castFrom: $0) }
    case .uint32: convert(numbers, to: range) { UInt32(castFrom: $0) }
    default: convert(numbers, to: range) { Int64(castFrom: $0) }
    }
  }

  /// Converts the start of a chunk of integers to a range of this tensor.
  ///
  /// Half-precision floats are rounded twice, as in the official kernel.
  func narrow(_ numbers: UnsafeMutableBufferPointer<Int64>, to range: Range<Int>) {
    switch type {
    case .float16: convert(numbers, to: range) { Float16(Float($0)) }
    case .bfloat16: convert(numbers, to: range) { BFloat16(Float($0)) }
    case .float32: convert(numbers, to: range) { Float($0) }
    case .float64: convert(numbers, to: range) { Double($0) }
    case .complex64: convert(numbers, to: range) { Complex(Float($0), 0) }
    case .bool: convert(numbers, to: range) { $0 != 0 ? 1 as UInt8 : 0 }
    case .int8, .uint8: convert(numbers, to: range) { UInt8(truncatingIfNeeded: $0) }
    case .int16, .uint16: convert(numbers, to: range) { UInt16(truncatingIfNeeded: $0) }
    case .int32, .uint32: convert(numbers, to: range) { UInt32(truncatingIfNeeded: $0) }
    default: convert(numbers, to: range) { $0 }
    }
  }

  @inline(__always)
  private func convert<Wide, Element: BitwiseCopyable>(
    _ numbers: UnsafeMutableBufferPointer<Wide>, to range: Range<Int>,
    _ function: (Wide) -> Element
  ) {
    let elements = values(Element.self)
    for index in range { elements[index] = function(numbers[index - range.lowerBound]) }
  }
}

extension FixedWidthInteger {
  fileprivate init(castFrom real: Double) {
    self = real.isNaN ? .max : Self(saturating: real)
  }
}
