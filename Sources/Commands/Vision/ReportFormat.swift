/// The output format of results about pictures.
enum ReportFormat {
  /// A table for people.
  case table
  /// A single JSON object for all pictures.
  case json
  /// A line of JSON for each picture.
  case jsonLines
  /// A row of comma-separated values for each result.
  ///
  /// For spreadsheets, texts that look like formulas are marked as text.
  case csv(forSpreadsheets: Bool)

  private static let jsonFlag = Option.flag(
    "json", help: "Print one JSON object with all pictures instead of a table.")
  private static let jsonLinesFlag = Option.flag(
    "jsonl", help: "Print a line of JSON for each picture, as soon as it is done.")
  private static let csvFlag = Option.flag(
    "csv", help: "Print comma-separated values, a line for each result.")

  private static let spreadsheetFlag = Option.flag(
    "csv-spreadsheet",
    help: """
      As --csv, with an apostrophe in front of texts that begin with =, +, - or @, which spreadsheets \
      would take for formulas.
      """)

  /// The options in the order of the help page.
  static let definitions = [
    jsonFlag.definition, jsonLinesFlag.definition, csvFlag.definition, spreadsheetFlag.definition,
  ]

  init(_ arguments: ParsedArguments) throws(UsageError) {
    var chosen: [ReportFormat] = []
    if try arguments[Self.jsonFlag] { chosen.append(.json) }
    if try arguments[Self.jsonLinesFlag] { chosen.append(.jsonLines) }
    if try arguments[Self.csvFlag] { chosen.append(.csv(forSpreadsheets: false)) }
    if try arguments[Self.spreadsheetFlag] { chosen.append(.csv(forSpreadsheets: true)) }
    guard chosen.count <= 1 else {
      throw UsageError("only one of --json, --jsonl, --csv and --csv-spreadsheet")
    }
    self = chosen.first ?? .table
  }

  /// The option that selects the format; `nil` for the default.
  var flag: String? {
    switch self {
    case .table: nil
    case .json: "--json"
    case .jsonLines: "--jsonl"
    case .csv(let forSpreadsheets): forSpreadsheets ? "--csv-spreadsheet" : "--csv"
    }
  }
}
