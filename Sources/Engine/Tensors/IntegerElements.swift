/// The elements of an integer tensor as `Int`, without a copy: an index operand may be large.
///
/// They are valid as long as the view they were made from.
package struct IntegerElements: RandomAccessCollection {
  private let type: ElementType
  private let bytes: UnsafeRawBufferPointer

  package let startIndex = 0
  package let endIndex: Int

  init(_ tensor: TensorView) {
    type = tensor.type
    bytes = UnsafeRawBufferPointer(tensor.bytes)
    endIndex =
      switch tensor.type {
      case .int8, .uint8, .bool, .int16, .uint16, .int32, .uint32, .int64, .uint64, .resource:
        bytes.count / (tensor.type.byteWidth ?? 1)
      default: 0
      }
  }

  package subscript(index: Int) -> Int {
    precondition(index >= 0 && index < endIndex, "element index out of range")
    return switch type {
    case .int8: Int(load(index, as: Int8.self))
    case .uint8, .bool: Int(load(index, as: UInt8.self))
    case .int16: Int(load(index, as: Int16.self))
    case .uint16: Int(load(index, as: UInt16.self))
    case .uint32: Int(load(index, as: UInt32.self))
    case .int64: Int(load(index, as: Int64.self))
    case .uint64: Int(truncatingIfNeeded: load(index, as: UInt64.self))
    default: Int(load(index, as: Int32.self))
    }
  }

  private func load<Element: BitwiseCopyable>(_ index: Int, as _: Element.Type) -> Element {
    bytes.loadUnaligned(
      fromByteOffset: index * MemoryLayout<Element>.stride, as: Element.self)
  }
}
