import OcellusEngine
import OcellusModelFile
import OcellusPlatform

/// Compares constants of two files: their bytes first, which is fast, and their elements only where
/// the bytes differ.
struct ConstantComparison: Sendable {
  enum Outcome: Sendable {
    case same
    /// The elements differ; `nil` if they cannot be compared.
    case different(TensorDifference?)
  }

  /// Two constants by their bytes and what these mean; many tensors may share a buffer.
  private struct Pair: Hashable {
    let first: Side
    let second: Side
  }

  private struct Side: Hashable {
    let address: Int
    let byteCount: Int
    let type: TensorType
    let shape: [Int]
    let quantization: QuantizationRecord?

    init(_ tensor: ModelFile.Tensor, _ bytes: UnsafeRawBufferPointer) {
      address = bytes.baseAddress.map { Int(bitPattern: $0) } ?? 0
      byteCount = bytes.count
      (type, shape, quantization) = (tensor.type, tensor.shape, tensor.quantization)
    }
  }

  private var known: [Pair: Outcome] = [:]
  /// The number of elements that may still be compared one by one.
  ///
  /// A file cannot hold more different elements than its size allows, unless its tensors share
  /// buffers under many shapes or scales, which hostile files may do.
  private var elementsLeft: Int

  init(elementLimit: Int) { elementsLeft = max(elementLimit, 1 << 20).multiplied(by: 8) }

  /// Compares two constants.
  mutating func outcome(_ a: ModelFile.Tensor, _ b: ModelFile.Tensor) -> Outcome {
    let outcome = a.withBytes { first in
      b.withBytes { second in self.outcome(a, first.prefix(of: a), b, second.prefix(of: b)) }
    }
    return (outcome ?? .same) ?? .same
  }

  private mutating func outcome(
    _ a: ModelFile.Tensor, _ first: UnsafeRawBufferPointer, _ b: ModelFile.Tensor,
    _ second: UnsafeRawBufferPointer
  ) -> Outcome {
    let pair = Pair(first: Side(a, first), second: Side(b, second))
    if let known = known[pair] { return known }
    let outcome = examine(a, first, b, second)
    known[pair] = outcome
    return outcome
  }

  private mutating func examine(
    _ a: ModelFile.Tensor, _ first: UnsafeRawBufferPointer, _ b: ModelFile.Tensor,
    _ second: UnsafeRawBufferPointer
  ) -> Outcome {
    let meansTheSame =
      a.type == b.type && a.shape == b.shape && a.sparsity == b.sparsity
      && a.quantization?.scales == b.quantization?.scales
      && a.quantization?.zeroPoints == b.quantization?.zeroPoints
    if meansTheSame, first.hasSameBytes(as: second) { return .same }
    // The stored elements of sparse constants correspond only if they have the same places.
    guard a.sparsity == b.sparsity, elementsLeft > 0, let x = StoredTensor(a, first),
      let y = StoredTensor(b, second)
    else { return .different(nil) }
    elementsLeft -= x.shape.elementCount + y.shape.elementCount
    guard let difference = TensorDifference(x, y) else { return .different(nil) }
    return difference.isNone ? .same : .different(difference)
  }
}

extension Int {
  fileprivate func multiplied(by factor: Int) -> Int {
    let (product, overflow) = multipliedReportingOverflow(by: factor)
    return overflow ? .max : product
  }
}

extension UnsafeRawBufferPointer {
  /// Returns the bytes that a constant's type and shape need; a file may have more.
  fileprivate func prefix(of tensor: ModelFile.Tensor) -> UnsafeRawBufferPointer {
    guard tensor.sparsity == nil, let needed = tensor.type.byteCount(shape: tensor.shape),
      needed < count
    else { return self }
    return UnsafeRawBufferPointer(rebasing: self[..<needed])
  }

  package func hasSameBytes(as other: UnsafeRawBufferPointer) -> Bool {
    guard count == other.count else { return false }
    guard let baseAddress, let address = other.baseAddress else { return true }
    return memcmp(baseAddress, address, count) == 0
  }
}

extension StoredTensor {
  /// Copies a constant; of a sparse one, the stored elements as a list.
  ///
  /// - Returns: `nil` for types that no operator reads.
  fileprivate init?(_ tensor: ModelFile.Tensor, _ bytes: UnsafeRawBufferPointer) {
    guard let type = ElementType(tensor.type) else { return nil }
    var dimensions = tensor.shape
    if tensor.sparsity != nil {
      guard let size = type.byteCount(ofElements: 1), size > 0 else { return nil }
      dimensions = [bytes.count / size]
    }
    let shape = Shape(dimensions)
    var quantization = Quantization(tensor.quantization)
    if tensor.sparsity != nil, quantization?.isPerChannel == true { quantization = nil }
    if let bitWidth = type.bitWidth, bitWidth < 8 {
      guard tensor.sparsity == nil else { return nil }
      let elements = PackedIntegers.elements(
        of: type, count: shape.elementCount, in: Array(bytes))
      self.init(
        type: .int8, shape: shape, quantization: quantization,
        bytes: elements.map { UInt8(bitPattern: $0) })
    } else {
      self.init(type: type, shape: shape, quantization: quantization, bytes: Array(bytes))
    }
    // Where scales cannot be applied to elements, the stored integers are compared.
    if format != nil, reals() == nil { self.quantization = nil }
  }
}
