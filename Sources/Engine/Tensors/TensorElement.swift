/// A type of Swift that tensors hold elements of: whoever reads or writes values says which, and it is
/// checked.
///
/// Not for conforming more types: the engine's are all that there are.
public protocol TensorElement: BitwiseCopyable, Sendable {
  /// What tensors of such elements say of their type.
  static var elementType: ElementType { get }
}

extension TensorElement {
  /// Whether these are the elements of tensors of a type; truth values are read as bytes, and handles of
  /// resources as numbers.
  static func isElement(of type: ElementType) -> Bool {
    switch type {
    case .bool: elementType == .bool || elementType == .uint8
    case .resource: elementType == .int32
    default: elementType == type
    }
  }
}

extension Float: TensorElement {
  /// `float32`.
  public static var elementType: ElementType { .float32 }
}

extension Float16: TensorElement {
  /// `float16`.
  public static var elementType: ElementType { .float16 }
}

extension BFloat16: TensorElement {
  package static var elementType: ElementType { .bfloat16 }
}

extension Double: TensorElement {
  /// `float64`.
  public static var elementType: ElementType { .float64 }
}

extension Int8: TensorElement {
  /// `int8`.
  public static var elementType: ElementType { .int8 }
}

extension UInt8: TensorElement {
  /// `uint8`.
  public static var elementType: ElementType { .uint8 }
}

extension Int16: TensorElement {
  /// `int16`.
  public static var elementType: ElementType { .int16 }
}

extension UInt16: TensorElement {
  /// `uint16`.
  public static var elementType: ElementType { .uint16 }
}

extension Int32: TensorElement {
  /// `int32`.
  public static var elementType: ElementType { .int32 }
}

extension UInt32: TensorElement {
  /// `uint32`.
  public static var elementType: ElementType { .uint32 }
}

extension Int64: TensorElement {
  /// `int64`.
  public static var elementType: ElementType { .int64 }
}

extension UInt64: TensorElement {
  /// `uint64`.
  public static var elementType: ElementType { .uint64 }
}

extension ElementType {
  /// The types whose elements fill whole bytes up to 64 bits: those that kernels take which
  /// move elements by width alone.
  package static let upTo64Bits = allCases.filter { (8...64).contains($0.bitWidth ?? 0) }

  /// Whether several elements share a byte.
  package var isPacked: Bool { (1..<8).contains(bitWidth ?? 8) }
}
