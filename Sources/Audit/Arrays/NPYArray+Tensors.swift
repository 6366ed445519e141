package import OcellusArrays
package import OcellusEngine
import OcellusModelFile

/// Conversions between tensors and arrays of .npy files.
///
/// NumPy has most types. It has no bfloat16, which becomes float32, and no integers of two or four
/// bits, which become int8 or uint8; strings become byte strings.
extension NPYArray {
  /// Makes an array with a tensor's values.
  package init(of type: ElementType, shape: [Int], bytes: [UInt8]) throws(NPYError) {
    if let element = type.npyElement {
      self.init(element: element, shape: shape, bytes: bytes)
    } else if type.isPacked {
      let numbers = PackedIntegers.elements(of: type, count: shape.reduce(1, *), in: bytes)
      self.init(
        element: type == .uint4 ? .uint8 : .int8, shape: shape,
        bytes: numbers.map { UInt8(bitPattern: $0) })
    } else if type == .bfloat16 {
      let words = stride(from: 0, to: bytes.count - 1, by: 2)
      self.init(
        element: .float32, shape: shape, bytes: words.flatMap { [0, 0, bytes[$0], bytes[$0 + 1]] })
    } else if type == .string {
      try self.init(stringTensor: bytes, shape: shape)
    } else {
      throw NPYError("\(type.name) tensors have no values to write")
    }
  }

  /// Returns a tensor's bytes with the array's values.
  ///
  /// - Throws: an error that names both types unless the array has the type that `init` makes for
  ///   the tensor's type: a silent conversion would hide mistakes.
  package func tensorBytes(of type: ElementType) throws(NPYError) -> [UInt8] {
    if element == type.npyElement { return bytes }
    let mismatch = NPYError("holds \(element.descriptor), and the tensor is \(type.name)")
    switch type {
    case .int4, .int2, .uint4:
      guard element == (type == .uint4 ? .uint8 : .int8) else { throw mismatch }
      return try packedBytes(of: type)
    case .bfloat16:
      guard element == .float32 else { throw mismatch }
      return brainFloats
    case .string:
      guard let texts else { throw mismatch }
      guard let bytes = PackedStrings.bytes(of: texts) else {
        throw NPYError("holds more text than a tensor can")
      }
      return bytes
    default:
      throw mismatch
    }
  }

  private func packedBytes(of type: ElementType) throws(NPYError) -> [UInt8] {
    let numbers = bytes.map { Int8(bitPattern: $0) }
    let packed = PackedIntegers.bytes(of: numbers, as: type)
    let kept = PackedIntegers.elements(of: type, count: numbers.count, in: packed)
    if let lost = numbers.indices.first(where: { numbers[$0] != kept[$0] }) {
      let number = type == .uint4 ? Int(bytes[lost]) : Int(numbers[lost])
      throw NPYError("holds \(number), which does not fit \(type.bitWidth ?? 0) bits")
    }
    return packed
  }

  private var brainFloats: [UInt8] {
    var words: [UInt8] = []
    bytes.withUnsafeBytes { bytes in
      for offset in stride(from: 0, to: bytes.count, by: 4) {
        let number = NumberFormat.float32.number(in: bytes, at: offset)
        NumberFormat.bfloat16.append(number, to: &words)
      }
    }
    return words
  }

  private init(stringTensor bytes: [UInt8], shape: [Int]) throws(NPYError) {
    let texts: [[UInt8]]
    do {
      texts = try bytes.withUnsafeBytes { bytes throws(ModelFileError) in
        let strings = try PackedStrings(validating: bytes)
        return (0..<strings.count).map { Array(strings[$0]) }
      }
    } catch {
      throw NPYError("malformed strings: \(error)")
    }
    // NumPy has no byte strings of size 0.
    let size = max(1, texts.map(\.count).max() ?? 1)
    self.init(
      element: NPYElement(kind: .bytes, size: size), shape: shape,
      bytes: texts.flatMap { $0 + [UInt8](repeating: 0, count: size - $0.count) })
  }

  /// The elements of an array of text as UTF-8, without the zeros that pad them; `nil` for numbers.
  private var texts: [[UInt8]]? {
    guard element.size > 0, element.kind == .bytes || element.kind == .unicode else { return nil }
    return stride(from: 0, to: bytes.count, by: element.size).map { start in
      let field = bytes[start..<start + element.size]
      if element.kind == .bytes { return field.withoutTrailingZeros }
      let scalars = stride(from: start, to: start + element.size, by: 4).map { position in
        let value = bytes[position..<position + 4].reversed().reduce(UInt32(0)) {
          $0 << 8 | UInt32($1)
        }
        return Unicode.Scalar(value) ?? "\u{FFFD}"
      }
      var text = String.UnicodeScalarView()
      text.append(contentsOf: scalars)
      return Array(String(text).utf8)[...].withoutTrailingZeros
    }
  }
}

extension ArraySlice<UInt8> {
  fileprivate var withoutTrailingZeros: [UInt8] {
    Array(self[..<(lastIndex { $0 != 0 }.map { $0 + 1 } ?? startIndex)])
  }
}

extension ElementType {
  /// The equal type in NumPy, or `nil` if NumPy has none.
  var npyElement: NPYElement? {
    switch self {
    case .bool: .bool
    case .int8: .int8
    case .int16: .int16
    case .int32: .int32
    case .int64: .int64
    case .uint8: .uint8
    case .uint16: .uint16
    case .uint32: .uint32
    case .uint64: .uint64
    case .float16: .float16
    case .float32: .float32
    case .float64: .float64
    case .complex64: .complex64
    case .complex128: .complex128
    case .bfloat16, .int2, .int4, .uint4, .string, .resource, .variant: nil
    }
  }
}
