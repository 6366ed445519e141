/// A line of comma-separated values (RFC 4180).
///
/// Cells are looked at by Unicode scalar: a comma with an accent on it is still a comma to those who read
/// bytes. Control characters are replaced as in tables, but for line breaks, which quotes hold together.
struct CSVRow: CustomStringConvertible {
  let description: String

  /// A row of cells; `forSpreadsheets` with an apostrophe in front of texts that these would compute.
  init(_ cells: [String], forSpreadsheets: Bool = false) {
    description = cells.map { cell in
      Self.quoted(forSpreadsheets && Self.isTakenForFormula(cell) ? "'" + cell : cell)
    }.joined(separator: ",")
  }

  private static func isTakenForFormula(_ cell: String) -> Bool {
    guard let first = cell.unicodeScalars.first else { return false }
    return "=+-@\t\r".unicodeScalars.contains(first) && Double(cell) == nil
  }

  private static func quoted(_ cell: String) -> String {
    var text = String.UnicodeScalarView()
    var needsQuotes = false
    for scalar in cell.unicodeScalars {
      switch scalar {
      case "\"":
        text.append(contentsOf: "\"\"".unicodeScalars)
        needsQuotes = true
      case ",", "\n", "\r":
        text.append(scalar)
        needsQuotes = true
      case _ where scalar.properties.generalCategory == .control: text.append("\u{FFFD}")
      default: text.append(scalar)
      }
    }
    return needsQuotes ? "\"\(String(text))\"" : String(text)
  }
}
