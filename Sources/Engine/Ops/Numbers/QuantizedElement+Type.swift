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
  /// The integers of the types that kernels take quantized.
  var quantizedRange: ClosedRange<Int32> {
    switch self {
    case .int8: -128...127
    case .uint8: 0...255
    default: -32768...32767
    }
  }

  /// A zero point as kernels take it: one of the type's integers.
  func quantizedZeroPoint(_ zeroPoint: Int) -> Int32? {
    Int32(exactly: zeroPoint).flatMap { quantizedRange.contains($0) ? $0 : nil }
  }
}
