/// A format of numbers in memory; its raw value is NumPy's name, or the usual one.
package enum NumberFormat: String, Sendable {
  case bool, int8, int16, int32, int64, uint8, uint16, uint32, uint64
  case float16, bfloat16, float32, float64

  /// The size of a number in bytes.
  package var size: Int {
    switch self {
    case .bool, .int8, .uint8: 1
    case .int16, .uint16, .float16, .bfloat16: 2
    case .int32, .uint32, .float32: 4
    case .int64, .uint64, .float64: 8
    }
  }

  /// Whether numbers are floating-point, so tolerances apply when they are compared.
  package var isFloating: Bool {
    switch self {
    case .float16, .bfloat16, .float32, .float64: true
    default: false
    }
  }

  /// Returns the number at an offset; integers beyond 2^53 lose their lowest bits.
  package func number(in bytes: UnsafeRawBufferPointer, at offset: Int) -> Double {
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

  /// Returns the number at an offset as text.
  package func text(in bytes: UnsafeRawBufferPointer, at offset: Int) -> String {
    switch self {
    case .int64: "\(bytes.loadUnaligned(fromByteOffset: offset, as: Int64.self))"
    case .uint64: "\(bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))"
    case .float32: "\(bytes.loadUnaligned(fromByteOffset: offset, as: Float.self))"
    case let other where other.isFloating: "\(number(in: bytes, at: offset))"
    default: "\(Int(number(in: bytes, at: offset)))"
    }
  }
}

extension NumberFormat {
  /// Appends the bytes of a floating-point number, rounded to this format.
  package func append(_ number: Double, to bytes: inout [UInt8]) {
    switch self {
    case .float16: withUnsafeBytes(of: Float16(number)) { bytes += $0 }
    case .float32: withUnsafeBytes(of: Float(number)) { bytes += $0 }
    case .float64: withUnsafeBytes(of: number) { bytes += $0 }
    case .bfloat16:
      // The upper half of a float32, rounded to the nearest and to even on a tie.
      let bits = Float(number).bitPattern
      let rounded = (bits &+ 0x7FFF &+ (bits >> 16 & 1)) >> 16
      withUnsafeBytes(of: UInt16(truncatingIfNeeded: rounded)) { bytes += $0 }
    default: preconditionFailure("\(self) is not a floating-point format")
    }
  }
}
