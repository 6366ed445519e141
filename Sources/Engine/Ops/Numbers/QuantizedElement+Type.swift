import OcellusKernelABI

extension QuantizedElement {
  /// - Returns: `nil` for types without kernels.
  init?(_ type: ElementType) {
    switch type {
    case .int8: self = .int8
    case .uint8: self = .uint8
    case .int16: self = .int16
    default: return nil
    }
  }
}

extension ElementType {
  /// The integer range of a quantized type that kernels support.
  var quantizedRange: ClosedRange<Int32> {
    switch self {
    case .int8: -128...127
    case .uint8: 0...255
    default: -32768...32767
    }
  }

  /// Returns the zero point for kernels; `nil` outside the type's range.
  func quantizedZeroPoint(_ zeroPoint: Int) -> Int32? {
    Int32(exactly: zeroPoint).flatMap { quantizedRange.contains($0) ? $0 : nil }
  }
}
