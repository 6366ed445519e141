import OcellusPlatform

/// A confusion matrix as text.
struct ConfusionTable {
  let rows: [String]
  let columns: [String]
  let counts: [[Int]]

  /// The maximum length of column titles; longer names are cut.
  private static let longestTitle = 10

  var text: String {
    var table = TextTable(
      [.left("")] + columns.map { .right(String($0.printableInLine.prefix(Self.longestTitle))) })
    for (name, row) in zip(rows, counts) {
      table.add([name] + row.map { $0 == 0 ? "." : $0.grouped })
    }
    return table.text()
  }
}
