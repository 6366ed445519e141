/// A Swift type that tensors can have as elements.
///
/// Reading or writing values names such a type, which is checked against the tensor's. Do not
/// conform other types: only the engine's conformances are supported.
public protocol TensorElement: BitwiseCopyable, Sendable {
  /// The type of tensors with such elements.
  static var elementType: ElementType { get }
}

extension TensorElement {
  /// Returns whether tensors of `type` can be read as these elements.
  ///
  /// Booleans are read as bytes too, and handles of resources as `int32`.
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
  /// The types whose elements take whole bytes up to 64 bits.
  ///
  /// Kernels that copy elements by width alone take these types.
  package static let upTo64Bits = allCases.filter { (8...64).contains($0.bitWidth ?? 0) }

  /// Whether several elements share a byte.
  package var isPacked: Bool { (1..<8).contains(bitWidth ?? 8) }
}
