/// How a number lies in memory; the raw value is NumPy's name, or the customary one where NumPy has none.
enum NumberFormat: String, Sendable {
  case bool, int8, int16, int32, int64, uint8, uint16, uint32, uint64
  case float16, bfloat16, float32, float64

  /// Bytes a number takes.
  var size: Int {
    switch self {
    case .bool, .int8, .uint8: 1
    case .int16, .uint16, .float16, .bfloat16: 2
    case .int32, .uint32, .float32: 4
    case .int64, .uint64, .float64: 8
    }
  }

  /// Whether tolerances apply.
  var isFloating: Bool {
    switch self {
    case .float16, .bfloat16, .float32, .float64: true
    default: false
    }
  }

  /// The number at an offset; integers beyond 2^53 lose their lowest bits.
  func number(in bytes: UnsafeRawBufferPointer, at offset: Int) -> Double {
    func load<Word: BitwiseCopyable>(_: Word.Type) -> Word {
      bytes.loadUnaligned(fromByteOffset: offset, as: Word.self)
    }
    return switch self {
    case .bool, .uint8: Double(load(UInt8.self))
    case .int8: Double(load(Int8.self))
    case .int16: Double(load(Int16.self))
    case .uint16: Double(load(UInt16.self))
    case .int32: Double(load(Int32.self))
    case .uint32: Double(load(UInt32.self))
    case .int64: Double(load(Int64.self))
    case .uint64: Double(load(UInt64.self))
    case .float16: Double(load(Float16.self))
    case .bfloat16: Double(Float(bitPattern: UInt32(load(UInt16.self)) << 16))
    case .float32: Double(load(Float.self))
    case .float64: load(Double.self)
    }
  }

  /// The number at an offset as a person reads it.
  func text(in bytes: UnsafeRawBufferPointer, at offset: Int) -> String {
    switch self {
    case .int64: "\(bytes.loadUnaligned(fromByteOffset: offset, as: Int64.self))"
    case .uint64: "\(bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))"
    case .float32: "\(bytes.loadUnaligned(fromByteOffset: offset, as: Float.self))"
    case let other where other.isFloating: "\(number(in: bytes, at: offset))"
    default: "\(Int(number(in: bytes, at: offset)))"
    }
  }
}
