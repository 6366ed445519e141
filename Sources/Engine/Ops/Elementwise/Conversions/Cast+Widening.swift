/// The loops of CAST between a tensor and a chunk of `Double` or `Int64`.
extension TensorView {
  /// Converts a range of a tensor of floats to the start of a chunk.
  func widen(_ range: Range<Int>, to wide: UnsafeMutableBufferPointer<Double>) {
    switch type {
    case .float16: convert(range, to: wide) { (x: Float16) in Double(x) }
    case .bfloat16: convert(range, to: wide) { (x: BFloat16) in Double(Float(x)) }
    case .float32: convert(range, to: wide) { (x: Float) in Double(x) }
    case .complex64: convert(range, to: wide) { (x: Complex<Float>) in Double(x.real) }
    default: convert(range, to: wide) { (x: Double) in x }
    }
  }

  /// Converts a range of a tensor of integers or truth values to the start of a chunk.
  func widen(_ range: Range<Int>, to wide: UnsafeMutableBufferPointer<Int64>) {
    switch type {
    case .bool: convert(range, to: wide) { (x: UInt8) in x != 0 ? 1 : 0 }
    case .int8: convert(range, to: wide) { (x: Int8) in Int64(x) }
    case .uint8: convert(range, to: wide) { (x: UInt8) in Int64(x) }
    case .int16: convert(range, to: wide) { (x: Int16) in Int64(x) }
    case .uint16: convert(range, to: wide) { (x: UInt16) in Int64(x) }
    case .int32: convert(range, to: wide) { (x: Int32) in Int64(x) }
    case .uint32: convert(range, to: wide) { (x: UInt32) in Int64(x) }
    default: convert(range, to: wide) { (x: Int64) in x }
    }
  }

  @inline(__always)
  private func convert<Element: BitwiseCopyable, Wide>(
    _ range: Range<Int>, to wide: UnsafeMutableBufferPointer<Wide>,
    _ function: (Element) -> Wide
  ) {
    let elements = values(Element.self)
    for index in range { wide[index - range.lowerBound] = function(elements[index]) }
  }

  /// Converts the start of a chunk of floats to a range of this tensor.
  func narrow(_ wide: UnsafeMutableBufferPointer<Double>, to range: Range<Int>) {
    switch type {
    case .float16: convert(wide, to: range) { Float16(Float($0)) }
    case .bfloat16: convert(wide, to: range) { BFloat16(Float($0)) }
    case .float32: convert(wide, to: range) { Float($0) }
    case .float64: convert(wide, to: range) { $0 }
    case .complex64: convert(wide, to: range) { Complex(Float($0), 0) }
    case .bool: convert(wide, to: range) { $0 != 0 ? 1 as UInt8 : 0 }
    case .int8: convert(wide, to: range) { Int8(castFrom: $0) }
    case .uint8: convert(wide, to: range) { UInt8(castFrom: $0) }
    case .int16: convert(wide, to: range) { Int16(castFrom: $0) }
    case .uint16: convert(wide, to: range) { UInt16(castFrom: $0) }
    case .int32: convert(wide, to: range) { Int32(castFrom: $0) }
    case .uint32: convert(wide, to: range) { UInt32(castFrom: $0) }
    default: convert(wide, to: range) { Int64(castFrom: $0) }
    }
  }

  /// Converts the start of a chunk of integers to a range of this tensor.
  ///
  /// Half-precision floats are rounded twice, as in the official kernel.
  func narrow(_ wide: UnsafeMutableBufferPointer<Int64>, to range: Range<Int>) {
    switch type {
    case .float16: convert(wide, to: range) { Float16(Float($0)) }
    case .bfloat16: convert(wide, to: range) { BFloat16(Float($0)) }
    case .float32: convert(wide, to: range) { Float($0) }
    case .float64: convert(wide, to: range) { Double($0) }
    case .complex64: convert(wide, to: range) { Complex(Float($0), 0) }
    case .bool: convert(wide, to: range) { $0 != 0 ? 1 as UInt8 : 0 }
    case .int8, .uint8: convert(wide, to: range) { UInt8(truncatingIfNeeded: $0) }
    case .int16, .uint16: convert(wide, to: range) { UInt16(truncatingIfNeeded: $0) }
    case .int32, .uint32: convert(wide, to: range) { UInt32(truncatingIfNeeded: $0) }
    default: convert(wide, to: range) { $0 }
    }
  }

  @inline(__always)
  private func convert<Wide, Element: BitwiseCopyable>(
    _ wide: UnsafeMutableBufferPointer<Wide>, to range: Range<Int>,
    _ function: (Wide) -> Element
  ) {
    let elements = values(Element.self)
    for index in range { elements[index] = function(wide[index - range.lowerBound]) }
  }
}

extension FixedWidthInteger {
  fileprivate init(castFrom real: Double) {
    self = real.isNaN ? .max : Self(saturating: real)
  }
}
