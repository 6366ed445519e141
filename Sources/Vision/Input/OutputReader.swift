import OcellusEngine

/// Reads the outputs of a network as real numbers: floats in place, other types converted.
struct OutputReader {
  private var scratch: [[Float]] = []

  /// Calls `body` with the outputs of an interpreter.
  ///
  /// If `count` pictures were run together, the outputs are those of one `picture`.
  mutating func read<Result>(
    _ interpreter: Interpreter, picture: Int = 0, of count: Int = 1,
    _ body: ([OutputTensor]) throws(VisionError) -> Result
  ) throws(VisionError) -> Result {
    let descriptions = interpreter.outputs
    if scratch.count != descriptions.count {
      scratch = Array(repeating: [], count: descriptions.count)
    }
    var outputs: [OutputTensor] = []
    outputs.reserveCapacity(descriptions.count)
    for (index, description) in descriptions.enumerated() {
      let bytes = interpreter.main.placedOutputBytes(at: index)?.slice(picture, of: count)
      var shape = description.shape.dimensions
      if count > 1 { shape[0] = 1 }
      outputs.append(
        OutputTensor(
          name: description.name, shape: shape,
          values: try values(of: bytes, index, description)))
    }
    // `body` reads the scratch arrays through unsafe pointers, so they are kept alive.
    defer { withExtendedLifetime(scratch) {} }
    return try body(outputs)
  }

  private mutating func values(
    of bytes: UnsafeRawBufferPointer?, _ index: Int, _ description: TensorDescription
  ) throws(VisionError) -> UnsafeBufferPointer<Float> {
    if description.type == .float32 {
      return bytes?.bindMemory(to: Float.self) ?? UnsafeBufferPointer(start: nil, count: 0)
    }
    scratch[index] = try Self.numbers(in: bytes, description)
    return scratch[index].withUnsafeBufferPointer { $0 }
  }

  private static func numbers(
    in bytes: UnsafeRawBufferPointer?, _ description: TensorDescription
  ) throws(VisionError) -> [Float] {
    guard let bytes else { return [] }
    let scale = description.quantization?.scale ?? 1
    let zeroPoint = description.quantization?.zeroPoint ?? 0
    func convert<Integer: FixedWidthInteger>(_: Integer.Type) -> [Float] {
      bytes.bindMemory(to: Integer.self).map { scale * Float(Int($0) &- zeroPoint) }
    }
    switch description.type {
    case .uint8: return convert(UInt8.self)
    case .int8: return convert(Int8.self)
    case .int16: return convert(Int16.self)
    case .int32: return convert(Int32.self)
    case .int64: return bytes.bindMemory(to: Int64.self).map { scale * Float($0) }
    case .bool: return bytes.map { $0 == 0 ? 0 : 1 }
    case .float16: return bytes.bindMemory(to: UInt16.self).map(\.halfPrecisionValue)
    default:
      throw .mismatched(
        "the output '\(description.name)' is of type \(description.type.name), which holds no "
          + "numbers that boxes or scores could be")
    }
  }
}

extension UnsafeRawBufferPointer {
  /// Returns one of `count` slices of equal length.
  func slice(_ index: Int, of count: Int) -> UnsafeRawBufferPointer {
    let length = self.count / count
    return UnsafeRawBufferPointer(rebasing: self[index * length..<(index + 1) * length])
  }
}

extension UInt16 {
  /// The value of these bits as a half-precision number.
  fileprivate var halfPrecisionValue: Float {
    let exponent = Int(self >> 10 & 31)
    let fraction = Float(self & 1023) / 1024
    let magnitude: Float =
      switch exponent {
      case 0: fraction * 0x1p-14
      case 31: fraction == 0 ? .infinity : .nan
      default: Float(sign: .plus, exponent: exponent - 15, significand: 1 + fraction)
      }
    return self & 0x8000 == 0 ? magnitude : -magnitude
  }
}
