import OcellusAudit
import OcellusPlatform

/// Compares a result with the expected output of a conformance case.
package struct OutputComparison {
  /// A result of an engine.
  package struct Result {
    package let type: String
    package let shape: [Int]
    package let bytes: [UInt8]

    package init(type: String, shape: [Int], bytes: [UInt8]) {
      self.type = type
      self.shape = shape
      self.bytes = bytes
    }
  }

  /// The outcome of a comparison.
  package struct Finding: Equatable {
    /// The reason why the result is wrong; `nil` if it is right.
    package var problem: String?
    /// The largest share of the tolerance that an element uses; `nil` if there is no tolerance.
    package var usedTolerance: Double?
  }

  private let tolerance: Tolerance

  package init(tolerance: Tolerance) {
    self.tolerance = tolerance
  }

  /// Compares a result with the values of a case.
  package func finding(
    on result: Result, expected: ConformanceTensor, values: some Collection<UInt8>
  ) -> Finding {
    guard result.type == expected.type else {
      return Finding(problem: "type is \(result.type), expected \(expected.type)")
    }
    guard result.shape == expected.shape else {
      return Finding(problem: "shape is \(result.shape), expected \(expected.shape)")
    }
    // The bytes of resources are handles, which mean nothing outside the runtime.
    if ["resource", "variant"].contains(expected.type) { return Finding() }
    let byteCount = expected.definedByteCount
    guard result.bytes.count >= byteCount else {
      return Finding(
        problem: "it has \(result.bytes.count) bytes, expected \(expected.range.count)")
    }
    let wanted = Array(values.prefix(byteCount))
    return result.bytes[..<byteCount].withUnsafeBytes { got in
      wanted.withUnsafeBytes { wanted in
        switch tolerance {
        case .statistical(let statistics):
          Finding(problem: statisticalProblem(got, of: expected.type, statistics))
        case .exact:
          Finding(problem: valueFinding(got, wanted, of: expected.type) { _ in 0 }.problem)
        case .close(let absolute, let relative):
          valueFinding(got, wanted, of: expected.type) { absolute + relative * $0 }
        }
      }
    }
  }
}

extension OutputComparison {
  private func valueFinding(
    _ got: UnsafeRawBufferPointer, _ wanted: UnsafeRawBufferPointer, of type: String,
    allowed: (_ magnitude: Double) -> Double
  ) -> Finding {
    let numbers = Numbers(type: type)
    let mayDiffer = numbers?.format.isFloating == true
    if got.elementsEqual(wanted) { return Finding(usedTolerance: mayDiffer ? 0 : nil) }
    guard let numbers else {
      let first = zip(got, wanted).enumerated().first { $1.0 != $1.1 }?.offset ?? 0
      return Finding(problem: "byte \(first) is \(got[first]), expected \(wanted[first])")
    }
    var used = 0.0
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
      // Integers are compared by their bytes, because large ones could be equal as doubles.
      if mayDiffer {
        if value.equals(target) { continue }
        let limit = allowed(target.magnitude)
        let isFinite = value.isFinite && target.isFinite
        used = max(used, isFinite && limit > 0 ? distance / limit : .infinity)
        if isFinite, distance <= limit { continue }
      }
      firstWrong = firstWrong ?? element
      wrongCount += 1
      largest = max(largest, distance)
    }
    var finding = Finding(usedTolerance: mayDiffer ? used : nil)
    if let firstWrong {
      finding.problem = """
        element \(firstWrong) is \(numbers.text(in: got, firstWrong)), \
        expected \(numbers.text(in: wanted, firstWrong)); \
        \(wrongCount) of \(count) differ, by up to \(Float(largest))
        """
    }
    return finding
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

/// The format of a tensor's elements: one number each, or two for complex types.
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

/// A complex number; the imaginary part of real types is zero.
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
