import OcellusPlatform

/// Reads the names of classes from a table: comma-, semicolon- or tab-separated values.
struct LabelTable {
  private let rows: [[String]]

  /// Returns the names; `nil` when no column can hold them.
  static func labels(in text: String) -> Labels? {
    let separators: [Unicode.Scalar] = [",", ";", "\t"]
    let firstLine = text.unicodeScalars.prefix { $0 != "\n" && $0 != "\r" }
    let separator = separators.first { firstLine.contains($0) } ?? ","
    return LabelTable(rows: rows(in: text, separatedBy: separator)).labels
  }

  private var labels: Labels? {
    guard let header = rows.first else { return nil }
    let words = header.map { $0.lowercased() }
    func column(_ names: [String]) -> Int? { names.lazy.compactMap(words.firstIndex).first }
    let names = ["display_name", "name", "label", "class_name", "labels", "names", "class"]
    if let name = column(names) {
      return labels(
        in: rows.dropFirst(), name: name, number: column(["index", "id", "class_id", "label_id"]))
    }
    // Without a header, the names are in the last column.
    let hasNumbers = header.count > 1 && rows.allSatisfy { $0.first.flatMap { Int($0) } != nil }
    return labels(in: rows[...], name: header.count - 1, number: hasNumbers ? 0 : nil)
  }

  private func labels(in rows: ArraySlice<[String]>, name: Int, number: Int?) -> Labels? {
    guard rows.allSatisfy({ $0.indices.contains(name) }) else { return nil }
    guard let number, number != name else { return Labels(rows.map { $0[name] }) }
    var names: [Int: String] = [:]
    for row in rows {
      guard row.indices.contains(number), let index = Int(row[number]) else { return nil }
      names[index] = row[name]
    }
    return Labels(numbered: names)
  }

  /// Splits the text into rows of cells; quotes may enclose separators and line ends.
  ///
  /// Rows end where lines do in `Labels(parsing:)`. The text is read by Unicode scalar, so a comma
  /// with a combining accent is still a separator.
  static func rows(in text: String, separatedBy separator: Unicode.Scalar) -> [[String]] {
    // White space is trimmed from cells, and with it the CR of CR LF.
    let lineEnd: Unicode.Scalar = text.utf8.contains(UInt8(ascii: "\n")) ? "\n" : "\r"
    var rows: [[String]] = []
    var (row, cell): ([String], String) = ([], "")
    var isQuoted = false
    for scalar in text.unicodeScalars.drop(while: { $0 == "\u{FEFF}" }) {
      if scalar == "\"" {
        isQuoted.toggle()
        continue
      }
      guard !isQuoted, scalar == separator || scalar == lineEnd else {
        cell.unicodeScalars.append(scalar)
        continue
      }
      row.append(String(cell.trimmed))
      cell = ""
      guard scalar == lineEnd else { continue }
      if row != [""] { rows.append(row) }
      row = []
    }
    row.append(String(cell.trimmed))
    return row == [""] ? rows : rows + [row]
  }
}
