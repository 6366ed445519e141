package import OcellusArrays
import OcellusEngine

/// What the numbers of an array have in common.
extension NPYArray {
  /// The minimum, maximum and mean of the numbers, ignoring NaNs.
  package struct Range: Equatable {
    package let minimum: Double
    package let maximum: Double
    package let mean: Double
  }

  /// The number of elements.
  package var count: Int { shape.reduce(1, *) }

  /// The range of the numbers; `nil` for text, complex numbers, and arrays without numbers.
  package var range: Range? {
    guard let format = element.numberFormat else { return nil }
    var minimum = Double.infinity
    var maximum = -Double.infinity
    var sum = 0.0
    var numbers = 0
    bytes.withUnsafeBytes { bytes in
      for offset in stride(from: 0, to: bytes.count, by: format.size) {
        let number = format.number(in: bytes, at: offset)
        if number.isNaN { continue }
        minimum = min(minimum, number)
        maximum = max(maximum, number)
        sum += number
        numbers += 1
      }
    }
    guard numbers > 0 else { return nil }
    return Range(minimum: minimum, maximum: maximum, mean: sum / Double(numbers))
  }
}

extension NPYElement {
  /// The format of the numbers; `nil` for text and complex numbers.
  package var numberFormat: NumberFormat? {
    ElementType.allCases.first { $0.npyElement == self }
      .flatMap { NumberFormat(rawValue: $0.name) }
  }
}
