import OcellusEngine
import OcellusJSON
import OcellusPlatform

/// Where a command writes, so that tests can read what it wrote.
///
/// Whatever is written as text leaves through here, and is made fit for a terminal here: names of classes, of
/// tensors and of files are texts from strangers. Only bytes, as of files, are written as they are.
package struct CommandContext {
  /// Results, for a person or for the next program in a pipe; what cannot be written is an error.
  let output: any TextOutput
  /// Where reports go: to the results, unless these are to be nothing but a file.
  private var reports: any TextOutput
  /// Errors and progress; when these cannot be written there is nobody left to tell.
  private let errors: any TextOutput
  /// Whether somebody is watching the errors: progress is shown to people, never to log files.
  let errorsAreWatched: Bool
  /// The command whose results these are.
  private var command = ""

  init(output: any TextOutput, errors: any TextOutput, errorsAreWatched: Bool = false) {
    self.output = output
    reports = output
    self.errors = errors
    self.errorsAreWatched = errorsAreWatched
  }

  /// The context of the process: its standard output and standard error.
  package static func process() -> CommandContext {
    CommandContext(
      output: FileOutput(.ownedStandardOutput), errors: FileOutput(.standardError),
      errorsAreWatched: isatty(STDERR_FILENO) == 1)
  }

  /// The same with reports going where errors go.
  var withReportsAmongErrors: CommandContext {
    var context = self
    context.reports = errors
    return context
  }

  /// The same with reports going into a file.
  func reporting(into file: some TextOutput) -> CommandContext {
    var context = self
    context.reports = file
    return context
  }

  /// The same for a command of this name.
  func running(_ command: String) -> CommandContext {
    var context = self
    context.command = command
    return context
  }

  /// Writes lines of results.
  func write(_ text: String) throws(FileError) {
    try reports.write(text.printable)
  }

  /// Writes one line of results.
  func print(_ line: String = "") throws(FileError) {
    try reports.write(line.printableInLine + "\n")
  }

  /// Writes a row of results, which quotes may hold together over several lines.
  func print(_ row: CSVRow) throws(FileError) {
    try reports.write(row.description + "\n")
  }

  /// Writes a result as one line of JSON, which is what line-based tools can pick out, behind what all
  /// results begin with.
  func print(_ result: JSONValue) throws(FileError) {
    let result = result.object ?? ["result": result]
    // What has a schema of its own says so itself.
    let signature = Program.signature(of: command).members.filter { result[$0.name] == nil }
    let document = JSONObject(signature) + result
    try printRecord(document)
  }

  /// Writes one line of JSON that says itself who made it.
  func printRecord(_ record: JSONObject) throws(FileError) {
    try reports.write(JSONValue.object(record).printableText + "\n")
  }

  /// Passes on the results up to here: they are not lost with what may come.
  func flush() throws(FileError) {
    try reports.flush()
  }

  /// Writes one line to the errors, behind the name of the program.
  func complain(_ message: String) {
    tell("ocellus: \(message.printableInLine)\n")
  }

  /// Writes an error to the errors, behind the name of the program and, where it is about one of many things,
  /// that of the thing: one line, or the list of an error that stands for several.
  func complain(_ error: any Error, about subject: String? = nil, adding advice: String = "") {
    // Its lines are its own: texts from files are already made to stay in theirs.
    let isList = ModelError(behind: error)?.problems.isEmpty == false
    let reason = isList ? "\(error)".printable : "\(error)".printableInLine
    let beginning = subject.map { "\($0.printableInLine): " } ?? ""
    tell("ocellus: \(beginning)\(reason)\(advice)\n")
  }

  /// Writes to the errors what is no error: hints, explanations.
  func note(_ text: String) { tell(text.printable) }

  /// Writes a line to the errors in place of the last one that was shown so.
  func show(_ line: String) { tell("\r\u{1B}[K" + line.printableInLine) }

  private func tell(_ text: String) {
    try? errors.write(text)
    try? errors.flush()
  }
}
