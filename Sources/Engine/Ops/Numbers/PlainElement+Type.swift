import OcellusKernelABI

extension PlainElement {
  /// - Returns: `nil` for types without kernels.
  init?(_ type: ElementType) {
    switch type {
    case .float32: self = .float32
    case .bool: self = .bool
    case .int8: self = .int8
    case .uint8: self = .uint8
    case .int16: self = .int16
    case .int32: self = .int32
    case .int64: self = .int64
    default: return nil
    }
  }
}
