import OcellusArrays
import OcellusAudit
import OcellusJSON

/// A summary of an array for the user.
extension NPYArray {
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
