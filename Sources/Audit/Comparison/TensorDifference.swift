import OcellusEngine
import OcellusPlatform

/// The difference of two tensors.
public struct TensorDifference: Sendable, Equatable {
  /// The number of elements of each tensor.
  public var elementCount = 0
  /// The number of elements whose bits differ, or whose numbers differ if the types do.
  public var differentCount = 0
  /// The index of the first of the differing elements.
  public var firstDifferent: Int?
  /// The largest absolute difference; infinite where only one side is a number.
  public var maximum = 0.0
  /// The root mean square of the differences.
  public var rootMeanSquare = 0.0
  /// The power of the reference over that of the difference, in decibels; infinite for equality.
  ///
  /// The reference is the first tensor: that of the first side of a comparison, or, in an audit, of
  /// the run that the model is compared with.
  public var signalToNoise = Double.infinity
  /// The cosine similarity of the tensors.
  public var cosine = 1.0
  /// The largest difference in units in the last place, or in steps of an integer type.
  ///
  /// It is `nil` if the types differ.
  public var units: Int?

  /// Whether nothing differs.
  public var isNone: Bool { differentCount == 0 }

  /// Creates the difference of equal tensors.
  init() {}

  /// - Returns: `nil` if the tensors cannot be compared: their sizes differ, or one has no numbers.
  package init?(_ a: StoredTensor, _ b: StoredTensor) {
    guard a.shape.elementCount == b.shape.elementCount else { return nil }
    elementCount = a.shape.elementCount
    let isSameKind =
      a.type == b.type && a.quantization?.scales == b.quantization?.scales
      && a.quantization?.zeroPoints == b.quantization?.zeroPoints
    if isSameKind { units = 0 }
    if isSameKind, a.bytes == b.bytes { return }
    guard let first = a.reals(), let second = b.reals(), first.count == second.count else {
      guard a.type == b.type else { return nil }
      // Strings and other elements without numbers are only equal or not.
      differentCount = elementCount
      units = nil
      return
    }
    add(first, second, a, b, isSameKind: isSameKind)
  }

  private mutating func add(
    _ first: RealNumbers, _ second: RealNumbers, _ a: StoredTensor, _ b: StoredTensor,
    isSameKind: Bool
  ) {
    var (signal, noise, product, otherSignal) = (0.0, 0.0, 0.0, 0.0)
    let elements = isSameKind ? ElementPairs(a, b) : nil
    for index in 0..<first.count {
      let (x, y) = (first[index], second[index])
      let isSame = elements?.haveSameBits(at: index) ?? (x == y || x.isNaN && y.isNaN)
      if !isSame {
        differentCount += 1
        firstDifferent = firstDifferent ?? index
        if let elements { units = max(units ?? 0, elements.distance(at: index)) }
      }
      let distance = x == y || x.isNaN && y.isNaN ? 0 : abs(x - y)
      maximum = max(maximum, distance.isNaN ? .infinity : distance)
      guard x.isFinite, y.isFinite else { continue }
      signal += x * x
      otherSignal += y * y
      noise += distance * distance
      product += x * y
    }
    rootMeanSquare = (noise / Double(max(first.count, 1))).squareRoot()
    signalToNoise = noise == 0 ? .infinity : 10 * log10(signal / noise)
    let lengths = (signal * otherSignal).squareRoot()
    cosine = lengths > 0 ? product / lengths : (signal == otherSignal ? 1 : 0)
  }
}

/// The elements of two tensors of the same type at the same positions.
private struct ElementPairs {
  private let a: [UInt8]
  private let b: [UInt8]
  private let format: NumberFormat

  /// - Returns: `nil` for elements that are no numbers.
  init?(_ a: StoredTensor, _ b: StoredTensor) {
    guard let format = a.format else { return nil }
    (self.a, self.b, self.format) = (a.bytes, b.bytes, format)
  }

  func haveSameBits(at index: Int) -> Bool {
    (index * format.size..<(index + 1) * format.size).allSatisfy { a[$0] == b[$0] }
  }

  /// Returns the number of representable values between two elements.
  func distance(at index: Int) -> Int {
    func rank(_ bytes: [UInt8]) -> Int {
      bytes.withUnsafeBytes { format.rank(in: $0, at: index * format.size) }
    }
    let (distance, overflow) = rank(a).subtractingReportingOverflow(rank(b))
    return overflow ? .max : Int(clamping: distance.magnitude)
  }
}

extension NumberFormat {
  /// Returns the rank of a number among all numbers of its format, counted from zero.
  fileprivate func rank(in bytes: UnsafeRawBufferPointer, at offset: Int) -> Int {
    func word<Word: FixedWidthInteger & BitwiseCopyable>(_: Word.Type) -> Int {
      let bits = bytes.loadUnaligned(fromByteOffset: offset, as: Word.self)
      guard isFloating else { return Int(truncatingIfNeeded: bits) }
      // Negative floats count downwards from zero, as sign and magnitude.
      return bits < 0 ? -Int(truncatingIfNeeded: bits & Word.max) : Int(truncatingIfNeeded: bits)
    }
    return switch self {
    case .bool, .uint8: word(UInt8.self)
    case .int8: word(Int8.self)
    case .uint16: word(UInt16.self)
    case .int16, .float16, .bfloat16: word(Int16.self)
    case .uint32: word(UInt32.self)
    case .int32, .float32: word(Int32.self)
    case .int64, .uint64, .float64: word(Int64.self)
    }
  }
}
