import OcellusAudit
import OcellusEngine

extension EntryPoint {
  /// Gives an input the values of the deterministic stream.
  func fillInput(at index: Int) throws(ModelError) {
    let input = inputs[index]
    if input.type == .string { return try fillWithEmptyStrings(at: index) }
    var stream = FillStream(input: index)
    let bytes = stream.tensorBytes(of: input.type, count: input.shape.elementCount)
    let result = bytes.withUnsafeBytes { bytes in
      Result { () throws(ModelError) in try setInput(at: index, bytes: bytes) }
    }
    try result.get()
  }
}

extension FillStream {
  /// The bytes of a tensor: numbers as `bytes(of:count:)` of their format has them, complex ones as 0
  /// or 1, packed ones any.
  mutating func tensorBytes(of type: ElementType, count: Int) -> [UInt8] {
    if let format = NumberFormat(rawValue: type.name) { return bytes(of: format, count: count) }
    switch type {
    case .complex64:
      return bits(count: count).flatMap { bit in floats([Float(bit), 0]) }
    case .complex128:
      return bits(count: count).flatMap { bit in floats([Double(bit), 0]) }
    default:
      return bytes(of: .uint8, count: type.byteCount(ofElements: count) ?? 0)
    }
  }

  private mutating func bits(count: Int) -> [UInt8] { bytes(of: .bool, count: count) }

  private func floats<Number: BinaryFloatingPoint>(_ numbers: [Number]) -> [UInt8] {
    numbers.withUnsafeBytes { Array($0) }
  }
}
