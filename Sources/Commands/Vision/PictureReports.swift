import OcellusJSON
import OcellusPlatform
import OcellusVision

/// The results about one picture, in every output format.
protocol PictureReport: Sendable {
  /// The columns of tables and CSV after the column of the picture.
  static var columns: [TextTable.Column] { get }
  /// The path of the picture's file.
  var path: String { get }
  /// The line above the table, about the picture as a whole.
  var heading: String { get }
  /// Warnings, such as damage that decoding skipped.
  var warnings: [String] { get }
  /// All results as JSON.
  var json: JSONObject { get }
  /// Returns a row of cells for each result; numbers are rounded unless `exactly` is set.
  func rows(exactly: Bool) -> [[String]]
  /// The text below the table.
  var appendix: String { get }
}

extension PictureReport {
  var appendix: String { "" }
}

/// Prints the results about pictures one by one, and errors.
struct PictureReports<Report: PictureReport> {
  private let format: ReportFormat
  private let context: CommandContext
  /// The members that all JSON results share.
  private var header: JSONObject
  private var values: [JSONValue] = []

  init(_ format: ReportFormat, model: ModelSource, in context: CommandContext) {
    self.format = format
    self.context = context
    header = format.isJSON ? model.json : JSONObject()
  }

  /// Starts the output, with the warnings about the model, and all of its explanation if requested.
  mutating func begin(_ explanation: Explanation, explains: Bool) throws(FileError) {
    header.append("model_warnings", .strings(explanation.warnings))
    explain(explains ? explanation : nil)
    if case .csv = format { try printRow(["image"] + Report.columns.map(\.title) + ["error"]) }
  }

  /// Reports in JSON that the model could not be used; in other formats the error message suffices.
  mutating func refuse(_ error: any Error, explanation: Explanation?) throws(FileError) {
    header.append("model_warnings", [])
    explain(explanation)
    guard format.isJSON else { return }
    header.append("error", .string("\(error)"))
    if case .json = format { header.append("images", []) }
    try context.print(.object(header))
  }

  /// Adds the results about a picture; JSON formats also contain the members `more`.
  mutating func add(_ report: Report, with more: JSONObject = [:]) throws(FileError) {
    for warning in report.warnings { context.complain("\(report.path): warning: \(warning)") }
    switch format {
    case .json: values.append(.object(report.json + more))
    case .jsonLines: try printLine(report.json + more)
    case .csv:
      for row in report.rows(exactly: true) {
        try printRow([report.path] + row + [""])
      }
    case .table:
      try context.print(report.heading)
      let rows = report.rows(exactly: false)
      if !rows.isEmpty {
        var table = TextTable(Report.columns)
        for row in rows { table.add(row) }
        try context.write(table.text(indent: 2))
      }
      try context.write(report.appendix)
    }
    try context.flush()
  }

  /// Adds a record about an error with a picture.
  mutating func add(
    failure error: any Error, of path: String, with more: JSONObject = [:]
  ) throws(FileError) {
    let message = "\(error)"
    // Errors that do not name the picture get its path as a prefix.
    context.complain(error, about: message.hasPrefix(path) ? nil : path)
    let record = ["image": .string(path), "error": .string(message)] + more
    switch format {
    case .json: values.append(.object(record))
    case .jsonLines: try printLine(record)
    case .csv:
      try printRow([path] + Report.columns.map { _ in "" } + [message])
    case .table: break
    }
    try context.flush()
  }

  func end() throws(FileError) {
    guard case .json = format else { return }
    try context.print(.object(header + ["images": .array(values)]))
  }

  private mutating func explain(_ explanation: Explanation?) {
    guard let explanation else { return }
    context.note(explanation.description + "\n")
    header.append("explanation", explanation.json)
  }

  private func printRow(_ cells: [String]) throws(FileError) {
    guard case .csv(let forSpreadsheets) = format else { return }
    try context.print(CSVRow(cells, forSpreadsheets: forSpreadsheets))
  }

  /// Every line contains the header, because lines may be processed separately.
  private func printLine(_ record: JSONObject) throws(FileError) {
    try context.print(.object(header + record))
  }
}

extension ReportFormat {
  fileprivate var isJSON: Bool {
    switch self {
    case .json, .jsonLines: true
    case .table, .csv: false
    }
  }
}
