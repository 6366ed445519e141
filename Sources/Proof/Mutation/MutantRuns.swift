package import OcellusEngine

/// The runs of one entry point of a mutant.
package struct MutantRuns {
  /// The largest input that is filled; larger ones stay zero because filling takes too long.
  private static let largestFilledInput = 1 << 14
  /// The number of bytes of each result that are compared.
  private static let comparedBytes = 1 << 16

  private let entry: EntryPoint
  private let filling: InputFilling

  package init(_ entry: EntryPoint, _ filling: InputFilling = .stream) {
    (self.entry, self.filling) = (entry, filling)
  }

  /// Runs once and returns the results.
  package func results() throws(ModelError) -> [MutantResult] {
    try run()
    var results: [MutantResult] = []
    for (position, output) in entry.outputs.enumerated() {
      let bytes = try? entry.withOutputBytes(at: position) { Array($0.prefix(Self.comparedBytes)) }
      results.append(MutantResult(type: output.type, shape: output.shape, bytes: bytes ?? []))
    }
    return results
  }

  /// Runs again, with every input longer by one along an axis and then with its original shape.
  ///
  /// Errors are acceptable.
  package func resize() {
    try? run()
    let shapes = entry.inputs.map(\.shape)
    for (position, shape) in shapes.enumerated() {
      for axis in shape.dimensions.indices.prefix(2) {
        var longer = shape
        longer.dimensions[axis] += 1
        attempt(longer, for: position)
        attempt(shape, for: position)
      }
    }
    // All inputs together, as for a larger batch.
    for (position, shape) in shapes.enumerated() where shape.rank > 0 {
      var longer = shape
      longer.dimensions[0] += 1
      try? entry.resizeInput(at: position, to: longer)
    }
    try? run()
  }

  private func attempt(_ shape: Shape, for input: Int) {
    do throws(ModelError) {
      try entry.resizeInput(at: input, to: shape)
      try run()
    } catch {}
  }

  private func run() throws(ModelError) {
    try entry.allocate()
    for (index, input) in entry.inputs.enumerated()
    where input.shape.elementCount <= Self.largestFilledInput {
      try filling.fill(input: index, of: entry)
    }
    try entry.run()
  }
}

/// A result of a mutant.
package struct MutantResult: Equatable {
  let type: ElementType
  let shape: Shape
  let bytes: [UInt8]

  /// Describes the difference from another kernel's result, tolerating rounding.
  package func difference(from other: MutantResult) -> String? {
    guard type == other.type, shape == other.shape, bytes.count == other.bytes.count else {
      return "\(type.name) \(shape) and \(other.type.name) \(other.shape)"
    }
    guard type == .float32 else {
      // Other float types are too coarse or too rare to compare; integers may be rounded floats.
      let isInteger = [.int8, .uint8, .int16, .int32, .int64, .bool].contains(type)
      return isInteger && bytes != other.bytes && !isRounded(other) ? "other integers" : nil
    }
    return differenceOfFloats(other)
  }

  /// Returns whether integers differ by at most one, as rounded sums of floats may.
  private func isRounded(_ other: MutantResult) -> Bool {
    let (values, others) = (integers, other.integers)
    return zip(values, others).allSatisfy { abs($0 &- $1) <= 1 }
  }

  private var integers: [Int] {
    bytes.withUnsafeBytes { bytes in
      let width = type.byteWidth ?? 1
      return (0..<bytes.count / width).map { index in
        var number = 0
        for byte in 0..<width { number |= Int(bytes[index * width + byte]) << (8 * byte) }
        return number
      }
    }
  }

  /// Describes the difference from a result with expectedly equal bits; NaN payloads may differ.
  package func differenceOfBits(from other: MutantResult) -> String? {
    guard type == other.type, shape == other.shape, bytes.count == other.bytes.count else {
      return "\(type.name) \(shape) and \(other.type.name) \(other.shape)"
    }
    if bytes == other.bytes { return nil }
    let width = max(type.byteWidth ?? 1, 1)
    for start in stride(from: 0, to: bytes.count, by: width) {
      let (value, another) = (bytes[start..<start + width], other.bytes[start..<start + width])
      if value == another || (isNoNumber(value) && isNoNumber(another)) { continue }
      return "element \(start / width) is \(text(value)) and \(text(another))"
    }
    return nil
  }

  private func isNoNumber(_ element: ArraySlice<UInt8>) -> Bool {
    switch type {
    case .float32: float(element, Float.self).isNaN
    case .float16: float(element, Float16.self).isNaN
    case .float64: float(element, Double.self).isNaN
    default: false
    }
  }

  private func text(_ element: ArraySlice<UInt8>) -> String {
    type == .float32 ? "\(float(element, Float.self))" : "\(Array(element))"
  }

  private func float<Number: BitwiseCopyable>(
    _ element: ArraySlice<UInt8>, _: Number.Type
  ) -> Number {
    element.withUnsafeBytes { $0.loadUnaligned(as: Number.self) }
  }

  private func differenceOfFloats(_ other: MutantResult) -> String? {
    let (values, others) = (floats, other.floats)
    let finite = others.filter(\.isFinite).map(\.magnitude)
    let largest = finite.max() ?? 0
    // Sums of such large numbers may overflow or not.
    guard largest < 1e30 else { return nil }
    for (index, (value, other)) in zip(values, others).enumerated()
    where value.isFinite && other.isFinite && abs(value - other) > 0.01 * largest + 1e-6 {
      return "element \(index) is \(value) and \(other)"
    }
    return nil
  }

  private var floats: [Float] {
    bytes.withUnsafeBytes { bytes in
      (0..<bytes.count / 4).map { bytes.loadUnaligned(fromByteOffset: 4 * $0, as: Float.self) }
    }
  }
}
