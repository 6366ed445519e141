import OcellusJSON

/// How results about pictures are printed.
enum ReportFormat {
  /// A table for people.
  case table
  /// One JSON value for everything.
  case json
  /// A line of JSON for each picture.
  case jsonLines
  /// A line of comma-separated values for each result.
  case csv

  private static let jsonFlag = Option.flag(
    "json", help: "Print one JSON object with all pictures instead of a table.")
  private static let jsonLinesFlag = Option.flag(
    "jsonl", help: "Print a line of JSON for each picture, as soon as it is done.")
  private static let csvFlag = Option.flag(
    "csv", help: "Print comma-separated values, a line for each result.")

  /// In the order of the help page.
  static let definitions = [jsonFlag.definition, jsonLinesFlag.definition, csvFlag.definition]

  init(_ arguments: ParsedArguments) throws(UsageError) {
    var chosen: [ReportFormat] = []
    if try arguments[Self.jsonFlag] { chosen.append(.json) }
    if try arguments[Self.jsonLinesFlag] { chosen.append(.jsonLines) }
    if try arguments[Self.csvFlag] { chosen.append(.csv) }
    guard chosen.count <= 1 else { throw UsageError("only one of --json, --jsonl and --csv") }
    self = chosen.first ?? .table
  }
}

/// The results about one picture, in every form in which they are printed.
protocol PictureReport: Sendable {
  /// The columns of tables and of comma-separated values, behind the one for the picture.
  static var columns: [TextTable.Column] { get }
  /// The picture's file.
  var path: String { get }
  /// What is said above the table about the picture as a whole.
  var heading: String { get }
  /// Damage that was read past, and the like.
  var warnings: [String] { get }
  /// Everything, for programs.
  var json: JSONValue { get }
  /// A cell for each column, for each result; `exactly` for programs, rounded for people.
  func rows(exactly: Bool) -> [[String]]
  /// What is said below the table.
  var appendix: String { get }
}

extension PictureReport {
  var appendix: String { "" }
}

/// Prints the results about pictures, one after the other.
struct PictureReports<Report: PictureReport> {
  private let format: ReportFormat
  private var values: [JSONValue] = []

  init(format: ReportFormat) { self.format = format }

  func begin(in context: CommandContext) {
    guard case .csv = format else { return }
    context.print((["image"] + Report.columns.map(\.title)).joined(separator: ","))
  }

  mutating func add(_ report: Report, in context: CommandContext) {
    switch format {
    case .json: values.append(report.json)
    case .jsonLines:
      context.print(report.json)
      context.output.flush()
    case .csv:
      for row in report.rows(exactly: true) {
        context.print(([report.path] + row).map(Self.quoted).joined(separator: ","))
      }
    case .table:
      context.output.write(report.heading.printable + "\n")
      let rows = report.rows(exactly: false)
      if !rows.isEmpty {
        var table = TextTable(Report.columns)
        for row in rows { table.add(row.map(\.printable)) }
        context.output.write(table.text(indent: 2))
      }
      context.output.write(report.appendix.printable)
    }
  }

  func end(in context: CommandContext) {
    if case .json = format { context.print(["images": .array(values)]) }
  }

  /// The cell as RFC 4180 has it.
  private static func quoted(_ cell: String) -> String {
    guard cell.contains(where: { ",\"\n\r".contains($0) }) else { return cell }
    return "\""
      + cell.split(separator: "\"", omittingEmptySubsequences: false)
      .joined(separator: "\"\"") + "\""
  }
}
