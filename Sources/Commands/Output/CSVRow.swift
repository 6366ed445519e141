import OcellusPlatform

/// A row of comma-separated values (RFC 4180).
///
/// Cells are processed by Unicode scalar, because readers of bytes see a comma even if a combining
/// accent follows it. Control characters are made visible, except line breaks in quoted cells.
struct CSVRow: CustomStringConvertible {
  let description: String

  /// Makes a row; `forSpreadsheets` puts an apostrophe before cells that would be read as formulas.
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
      // A carriage return alone would move a terminal to the start of the line.
      case "\r" where rest.first == "\n": text.append(scalar)
      case _ where scalar.controlsTerminals:
        text.append(eachOf: scalar.visible.unicodeScalars)
      default: text.append(scalar)
      }
    }
    return needsQuotes ? "\"\(String(text))\"" : String(text)
  }
}
