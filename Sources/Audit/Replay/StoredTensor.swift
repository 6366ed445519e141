package import OcellusEngine

/// A copy of a tensor, to be compared or used in another run.
package struct StoredTensor: Sendable, Equatable {
  package var type: ElementType
  package var shape: Shape
  package var quantization: Quantization?
  package var bytes: [UInt8]

  package init(
    type: ElementType, shape: Shape, quantization: Quantization? = nil, bytes: [UInt8]
  ) {
    self.type = type
    self.shape = shape
    self.quantization = quantization
    self.bytes = bytes
  }

  /// Copies an observed tensor; returns `nil` if its elements are not in memory.
  package init?(_ tensor: ObservedTensor) {
    guard let bytes = tensor.withBytes({ Array($0) }) else { return nil }
    self.init(
      type: tensor.type, shape: tensor.shape, quantization: tensor.quantization, bytes: bytes)
  }

  package static func == (a: Self, b: Self) -> Bool {
    a.type == b.type && a.shape == b.shape && a.bytes == b.bytes
  }

  /// The format of the elements; `nil` if they are packed or not numbers.
  package var format: NumberFormat? { NumberFormat(rawValue: type.name) }
}

extension StoredTensor {
  /// Returns the real numbers that the elements stand for, dequantized if the tensor is quantized.
  ///
  /// - Returns: `nil` for types without numbers and for blockwise scales.
  package func reals() -> RealNumbers? { RealNumbers(self) }

  /// Returns the same real numbers, rounded to another type and quantization.
  package func converted(to type: ElementType, _ quantization: Quantization?) -> StoredTensor? {
    if type == self.type, quantization?.scales == self.quantization?.scales,
      quantization?.zeroPoints == self.quantization?.zeroPoints
    {
      return self
    }
    guard let reals = reals(), let format = NumberFormat(rawValue: type.name) else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(reals.count * format.size)
    for index in 0..<reals.count {
      if format.isFloating {
        format.append(reals[index], to: &bytes)
      } else {
        guard let quantization, quantization.scales.count == 1, quantization.scale > 0 else {
          return nil
        }
        let stored =
          (reals[index] / Double(quantization.scale)).rounded() + Double(quantization.zeroPoint)
        guard format.appendClamped(stored, to: &bytes) else { return nil }
      }
    }
    return StoredTensor(type: type, shape: shape, quantization: quantization, bytes: bytes)
  }
}

/// The real numbers that a tensor's elements stand for.
package struct RealNumbers {
  private let bytes: [UInt8]
  private let format: NumberFormat
  /// The scales and zero points of the slices; none if the elements are the numbers themselves.
  private let scales: [Float]
  private let zeroPoints: [Int]
  /// The number of elements between changes of scale.
  private let sliceSize: Int
  package let count: Int

  fileprivate init?(_ tensor: StoredTensor) {
    guard let format = tensor.format else { return nil }
    (bytes, self.format) = (tensor.bytes, format)
    count = bytes.count / format.size
    let quantization = tensor.quantization
    let scales = format.isFloating ? [] : quantization?.scales ?? []
    self.scales = scales
    zeroPoints = scales.indices.map { slice in
      guard let quantization else { return 0 }
      return quantization.zeroPoints.indices.contains(slice)
        ? quantization.zeroPoints[slice] : quantization.zeroPoint
    }
    let scaleCount = quantization?.scales.count ?? 0
    guard scaleCount > 1, let axis = quantization?.axis,
      tensor.shape.dimensions.indices.contains(axis), tensor.shape[axis] == scaleCount
    else {
      guard scaleCount <= 1, quantization?.blockwise == nil else { return nil }
      sliceSize = max(count, 1)
      return
    }
    sliceSize = max(tensor.shape.product(of: axis + 1..<tensor.shape.rank), 1)
  }

  package subscript(index: Int) -> Double {
    let stored = bytes.withUnsafeBytes { format.number(in: $0, at: index * format.size) }
    guard !scales.isEmpty else { return stored }
    let slice = index / sliceSize % scales.count
    return (stored - Double(zeroPoints[slice])) * Double(scales[slice])
  }
}

extension NumberFormat {
  /// Appends the nearest integer of this format; returns `false` for NaN and other formats.
  fileprivate func appendClamped(_ number: Double, to bytes: inout [UInt8]) -> Bool {
    func append<Word: FixedWidthInteger>(_: Word.Type) -> Bool {
      guard !number.isNaN else { return false }
      let clamped = Swift.min(Swift.max(number, Double(Word.min)), Double(Word.max))
      let word = Word(exactly: clamped) ?? (number < 0 ? Word.min : Word.max)
      Swift.withUnsafeBytes(of: word.littleEndian) { bytes += $0 }
      return true
    }
    return switch self {
    case .int8: append(Int8.self)
    case .uint8: append(UInt8.self)
    case .int16: append(Int16.self)
    case .int32: append(Int32.self)
    default: false
    }
  }
}
