/// A type of Swift that tensors hold elements of, so that generic kernels know what they read.
package protocol TensorElement: BitwiseCopyable, Sendable {
  static var elementType: ElementType { get }
}

extension Float: TensorElement {
  package static var elementType: ElementType { .float32 }
}

extension Float16: TensorElement {
  package static var elementType: ElementType { .float16 }
}

extension BFloat16: TensorElement {
  package static var elementType: ElementType { .bfloat16 }
}

extension Double: TensorElement {
  package static var elementType: ElementType { .float64 }
}

extension Int8: TensorElement {
  package static var elementType: ElementType { .int8 }
}

extension UInt8: TensorElement {
  package static var elementType: ElementType { .uint8 }
}

extension Int16: TensorElement {
  package static var elementType: ElementType { .int16 }
}

extension UInt16: TensorElement {
  package static var elementType: ElementType { .uint16 }
}

extension Int32: TensorElement {
  package static var elementType: ElementType { .int32 }
}

extension UInt32: TensorElement {
  package static var elementType: ElementType { .uint32 }
}

extension Int64: TensorElement {
  package static var elementType: ElementType { .int64 }
}

extension UInt64: TensorElement {
  package static var elementType: ElementType { .uint64 }
}

extension ElementType {
  /// The types whose elements fill whole bytes up to 64 bits: those that kernels take which
  /// move elements by width alone.
  package static let upTo64Bits = allCases.filter { (8...64).contains($0.bitWidth ?? 0) }

  /// Whether several elements share a byte.
  package var isPacked: Bool { (1..<8).contains(bitWidth ?? 8) }
}
