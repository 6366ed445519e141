import OcellusPlatform

/// Compares a result with what a conformance case expects.
struct OutputComparison {
  /// A result of an engine.
  struct Result {
    let type: String
    let shape: [Int]
    let bytes: [UInt8]
  }

  let tolerance: Tolerance

  /// What is wrong with the result, or nil when it is right.
  func problem(
    with result: Result, expected: ConformanceTensor, values: some Collection<UInt8>
  ) -> String? {
    guard result.type == expected.type else {
      return "type is \(result.type), expected \(expected.type)"
    }
    guard result.shape == expected.shape else {
      return "shape is \(result.shape), expected \(expected.shape)"
    }
    // The bytes of resources are handles, which mean nothing outside the runtime.
    if ["resource", "variant"].contains(expected.type) { return nil }
    let byteCount = expected.definedByteCount
    guard result.bytes.count >= byteCount else {
      return "it has \(result.bytes.count) bytes, expected \(expected.range.count)"
    }
    let wanted = Array(values.prefix(byteCount))
    return result.bytes[..<byteCount].withUnsafeBytes { got in
      wanted.withUnsafeBytes { wanted in
        switch tolerance {
        case .statistical(let statistics):
          statisticalProblem(got, of: expected.type, statistics)
        case .exact:
          valueProblem(got, wanted, of: expected.type) { _, _ in false }
        case .close(let absolute, let relative):
          valueProblem(got, wanted, of: expected.type) { distance, magnitude in
            distance <= absolute + relative * magnitude
          }
        }
      }
    }
  }
}

extension OutputComparison {
  private func valueProblem(
    _ got: UnsafeRawBufferPointer, _ wanted: UnsafeRawBufferPointer, of type: String,
    isNear: (_ distance: Double, _ magnitude: Double) -> Bool
  ) -> String? {
    if got.elementsEqual(wanted) { return nil }
    let numbers = Numbers(type: type)
    guard let numbers else {
      let first = zip(got, wanted).enumerated().first { $1.0 != $1.1 }?.offset ?? 0
      return "byte \(first) is \(got[first]), expected \(wanted[first])"
    }
    var firstWrong: Int?
    var wrongCount = 0
    var largest = 0.0
    let count = got.count / numbers.elementSize
    for element in 0..<count {
      let range = element * numbers.elementSize..<(element + 1) * numbers.elementSize
      if got[range].elementsEqual(wanted[range]) { continue }
      let value = numbers.value(in: got, element)
      let target = numbers.value(in: wanted, element)
      let distance = value.distance(to: target)
      // Integers have equal bytes or differ: as doubles, large ones could look equal.
      if numbers.format.isFloating {
        if value.equals(target) { continue }
        if value.isFinite, target.isFinite, isNear(distance, target.magnitude) { continue }
      }
      firstWrong = firstWrong ?? element
      wrongCount += 1
      largest = max(largest, distance)
    }
    guard let firstWrong else { return nil }
    return """
      element \(firstWrong) is \(numbers.text(in: got, firstWrong)), \
      expected \(numbers.text(in: wanted, firstWrong)); \
      \(wrongCount) of \(count) differ, by up to \(Float(largest))
      """
  }

  private func statisticalProblem(
    _ got: UnsafeRawBufferPointer, of type: String, _ statistics: Tolerance.Statistics
  ) -> String? {
    guard let numbers = Numbers(type: type) else { return "random \(type) values are not known" }
    let values = (0..<got.count / numbers.elementSize).map { numbers.value(in: got, $0).real }
    if let stray = values.first(where: { !statistics.range.contains($0) }) {
      return "\(stray) is outside \(statistics.range)"
    }
    let mean = values.reduce(0, +) / Double(values.count)
    if let expected = statistics.mean, !expected.accepts(mean) {
      return "the mean is \(mean), expected \(expected.expected) within \(expected.within)"
    }
    let squares = values.map { ($0 - mean) * ($0 - mean) }
    let deviation = (squares.reduce(0, +) / Double(values.count)).squareRoot()
    if let expected = statistics.standardDeviation, !expected.accepts(deviation) {
      return """
        the standard deviation is \(deviation), \
        expected \(expected.expected) within \(expected.within)
        """
    }
    return nil
  }
}

/// How to read the elements of a tensor: one number each, or two for complex ones.
private struct Numbers {
  let format: NumberFormat
  let isComplex: Bool

  init?(type: String) {
    switch type {
    case "complex64": (format, isComplex) = (.float32, true)
    case "complex128": (format, isComplex) = (.float64, true)
    default:
      guard let format = NumberFormat(rawValue: type) else { return nil }
      (self.format, isComplex) = (format, false)
    }
  }

  var elementSize: Int { isComplex ? 2 * format.size : format.size }

  func value(in bytes: UnsafeRawBufferPointer, _ element: Int) -> ComplexNumber {
    let offset = element * elementSize
    return ComplexNumber(
      real: format.number(in: bytes, at: offset),
      imaginary: isComplex ? format.number(in: bytes, at: offset + format.size) : 0)
  }

  func text(in bytes: UnsafeRawBufferPointer, _ element: Int) -> String {
    let offset = element * elementSize
    let real = format.text(in: bytes, at: offset)
    return isComplex ? "\(real)+\(format.text(in: bytes, at: offset + format.size))i" : real
  }
}

/// A number with an imaginary part, which is zero for most.
private struct ComplexNumber {
  let real: Double
  let imaginary: Double

  var isFinite: Bool { real.isFinite && imaginary.isFinite }
  var isNaN: Bool { real.isNaN || imaginary.isNaN }
  var magnitude: Double { hypot(real, imaginary) }

  func equals(_ other: ComplexNumber) -> Bool {
    real == other.real && imaginary == other.imaginary || isNaN && other.isNaN
  }

  func distance(to other: ComplexNumber) -> Double {
    hypot(real - other.real, imaginary - other.imaginary)
  }
}
