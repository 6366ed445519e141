import OcellusArrays
import OcellusAudit
import OcellusJSON

/// A summary of an array for the user.
extension NPYArray {
  /// The minimum, maximum and mean of the numbers, ignoring NaNs.
  struct Range: Equatable {
    let minimum: Double
    let maximum: Double
    let mean: Double
  }

  /// The number of elements.
  var count: Int { shape.reduce(1, *) }

  /// The range of the numbers; `nil` for text, complex numbers, and arrays without numbers.
  var range: Range? {
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

  /// Returns one element; complex numbers are pairs.
  func value(at index: Int) -> JSONValue {
    let field = bytes[index * element.size..<(index + 1) * element.size]
    return field.withUnsafeBytes { field in
      if let format = element.numberFormat {
        if format == .bool { return .bool(field[0] != 0) }
        if format.isFloating { return .number(shortest(format, in: field)) }
        return Int(format.text(in: field, at: 0)).map { .integer($0) } ?? .null
      }
      switch element.kind {
      case .complex:
        let part: NumberFormat = element.size == 8 ? .float32 : .float64
        return .array([
          .number(part.number(in: field, at: 0)), .number(part.number(in: field, at: part.size)),
        ])
      default:
        return .string(String(decoding: field.prefix { $0 != 0 }, as: UTF8.self))
      }
    }
  }

  /// Returns the double with the fewest digits that rounds to the number in its own format.
  private func shortest(_ format: NumberFormat, in field: UnsafeRawBufferPointer) -> Double {
    Double(format.text(in: field, at: 0)) ?? format.number(in: field, at: 0)
  }

  /// The first values, and the range of all values.
  var digest: String {
    let shown = (0..<min(count, 4)).map { value(at: $0).text }.joined(separator: ", ")
    let values = count > 4 ? "\(shown), ..." : shown
    guard count > 4, let range else { return values }
    return """
      \(values)  (\(text(of: range.minimum)) to \(text(of: range.maximum)), \
      mean \(Float(range.mean)))
      """
  }

  private func text(of number: Double) -> String {
    element.kind == .float ? "\(Float(number))" : number.fixed(0)
  }
}

extension NPYElement {
  /// The format of the numbers; `nil` for text and complex numbers.
  var numberFormat: NumberFormat? {
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
    default: nil
    }
  }
}
