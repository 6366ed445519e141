import OcellusPlatform

/// Rows of text under aligned columns.
struct TextTable {
  /// A column with its title and alignment.
  struct Column {
    enum Alignment { case left, right }
    let title: String
    let alignment: Alignment

    static func left(_ title: String) -> Column { Column(title: title, alignment: .left) }
    static func right(_ title: String) -> Column { Column(title: title, alignment: .right) }
  }

  private let columns: [Column]
  private var rows: [[String]] = []

  init(_ columns: [Column]) {
    self.columns = columns
  }

  /// Adds a row with a cell for each column; control characters in names are made visible.
  mutating func add(_ cells: [String]) {
    precondition(cells.count == columns.count, "a row has a cell for each column")
    rows.append(cells.map(\.printableInLine))
  }

  /// Returns the lines of the table: the titles, then the rows, without trailing spaces.
  func text(indent: Int = 0) -> String {
    let lines = [columns.map(\.title.printableInLine)] + rows
    let widths = columns.indices.map { column in
      lines.map { $0[column].count }.max() ?? 0
    }
    return lines.map { cells in
      var line = String(repeating: " ", count: indent)
      for (column, cell) in cells.enumerated() {
        let padding = String(repeating: " ", count: widths[column] - cell.count)
        line += columns[column].alignment == .left ? cell + padding : padding + cell
        line += "  "
      }
      while line.last == " " { line.removeLast() }
      return line + "\n"
    }.joined()
  }
}
