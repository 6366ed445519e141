import OcellusKernelABI

extension PlainElement {
  /// - Returns: `nil` for types without kernels.
  init?<Value>(of _: Value.Type) {
    switch Value.self {
    case is Float.Type: self = .float32
    case is Int8.Type: self = .int8
    case is UInt8.Type: self = .uint8
    case is Int16.Type: self = .int16
    case is Int32.Type: self = .int32
    case is Int64.Type: self = .int64
    default: return nil
    }
  }
}
