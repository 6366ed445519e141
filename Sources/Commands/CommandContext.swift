import OcellusJSON
import OcellusPlatform

/// Where a command writes, so that tests can read what it wrote.
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

  /// Writes results as they are.
  func write(_ text: String) throws(FileError) {
    try reports.write(text)
  }

  /// Writes one line of results.
  func print(_ line: String = "") throws(FileError) {
    try reports.write(line + "\n")
  }

  /// Writes a result as one line of JSON, which is what line-based tools can pick out, behind what all
  /// results begin with.
  func print(_ result: JSONValue) throws(FileError) {
    let result = result.object ?? ["result": result]
    // What has a schema of its own says so itself.
    let signature = Program.signature(of: command).members.filter { result[$0.name] == nil }
    let document = JSONObject(signature) + result
    try reports.write(JSONValue.object(document).text + "\n")
  }

  /// Passes on the results up to here: they are not lost with what may come.
  func flush() throws(FileError) {
    try reports.flush()
  }

  /// Writes one line to the errors, behind the name of the program.
  func complain(_ message: String) {
    note("ocellus: \(message.printable)\n")
  }

  /// Writes to the errors what is no error: progress, hints, explanations.
  func note(_ text: String) {
    try? errors.write(text)
    try? errors.flush()
  }
}
