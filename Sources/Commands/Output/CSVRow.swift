import OcellusPlatform

/// A line of comma-separated values (RFC 4180).
///
/// Cells are looked at by Unicode scalar: a comma with an accent on it is still a comma to those who read
/// bytes. What a terminal would obey is made visible as in tables, but for line breaks, which quotes hold
/// together.
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
    var rest = cell.unicodeScalars[...]
    while let scalar = rest.popFirst() {
      switch scalar {
      case "\"":
        text.append(scalar)
        text.append(scalar)
        needsQuotes = true
      case ",", "\n":
        text.append(scalar)
        needsQuotes = true
      // Alone it would take a terminal back to the beginning of the line.
      case "\r" where rest.first == "\n": text.append(scalar)
      case _ where scalar.ordersTerminals:
        text.append(eachOf: scalar.visible.unicodeScalars)
      default: text.append(scalar)
      }
    }
    return needsQuotes ? "\"\(String(text))\"" : String(text)
  }
}
