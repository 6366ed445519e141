import OcellusEngine
import OcellusJSON
import OcellusPlatform

/// The output streams of a command, which tests can replace.
///
/// All text is written through here and sanitized for terminals, because names of classes, tensors
/// and files come from untrusted sources. Only bytes, such as those of files, are written
/// unchanged.
package struct CommandContext {
  /// The stream of results, for a person or the next program in a pipe; write errors are reported.
  let output: any TextOutput
  /// The stream of reports: that of the results, unless the results are a file.
  private var reports: any TextOutput
  /// The stream of errors and progress; write errors are ignored because nobody could be told.
  private let errors: any TextOutput
  /// Whether errors go to a terminal; progress is not written to log files.
  let errorsGoToTerminal: Bool
  /// Whether there is somebody to ask: standard input and errors are a terminal.
  let canAsk: Bool
  /// The server, in the program that is one.
  var serve: ServerRun?
  /// The name of the command that produces the results.
  private var command = ""

  init(
    output: any TextOutput, errors: any TextOutput, errorsGoToTerminal: Bool = false,
    canAsk: Bool = false
  ) {
    self.output = output
    reports = output
    self.errors = errors
    self.errorsGoToTerminal = errorsGoToTerminal
    self.canAsk = canAsk
  }

  /// Returns the context of the process, with its standard output and standard error.
  package static func process() -> CommandContext {
    let errorsGoToTerminal = isatty(STDERR_FILENO) == 1
    return CommandContext(
      output: FileOutput(.ownedStandardOutput), errors: FileOutput(.standardError),
      errorsGoToTerminal: errorsGoToTerminal,
      canAsk: errorsGoToTerminal && isatty(STDIN_FILENO) == 1)
  }

  /// Asks a question on the terminal.
  ///
  /// - Returns: the line that was typed; empty at the end of the input.
  func ask(_ question: String) -> String {
    note(question)
    return readLine() ?? ""
  }

  /// A copy whose reports go to the stream of errors.
  var withReportsInErrorOutput: CommandContext {
    var context = self
    context.reports = errors
    return context
  }

  /// Returns a copy whose reports go to a file.
  func reporting(into file: some TextOutput) -> CommandContext {
    var context = self
    context.reports = file
    return context
  }

  /// Returns a copy for a command with this name.
  func running(_ command: String) -> CommandContext {
    var context = self
    context.command = command
    return context
  }

  /// Warns, before times are measured, that this program was not compiled to be measured.
  func warnUnlessOptimized() {
    guard !Interpreter.isOptimized else { return }
    complain(
      "warning: only the kernels of this program are optimized, so its times say little; "
        + "'swift build -c release' builds the one to measure")
  }

  /// Writes text to the results.
  func write(_ text: String) throws(FileError) {
    try reports.write(text.printable)
  }

  /// Writes one line to the results.
  func print(_ line: String = "") throws(FileError) {
    try reports.write(line.printableInLine + "\n")
  }

  /// Writes a CSV row to the results; quoted fields may contain line breaks.
  func print(_ row: CSVRow) throws(FileError) {
    try reports.write(row.description + "\n")
  }

  /// Writes a result as one line of JSON, which line-based tools can pick out.
  ///
  /// The members that all results of the command share come first.
  func print(_ result: JSONValue) throws(FileError) {
    let result = result.object ?? ["result": result]
    // A result with its own schema already has these members.
    let signature = Program.signature(of: command).members.filter { result[$0.name] == nil }
    let document = JSONObject(signature) + result
    try printRecord(document)
  }

  /// Writes one line of JSON that identifies its own schema.
  func printRecord(_ record: JSONObject) throws(FileError) {
    try reports.write(JSONValue.object(record).printableText + "\n")
  }

  /// Flushes the results, so they are not lost if the process crashes.
  func flush() throws(FileError) {
    try reports.flush()
  }

  /// Writes an error message after the name of the program, as one line.
  func complain(_ message: String) {
    tell("ocellus: \(message.printableInLine)\n")
  }

  /// Writes an error after the name of the program and, if given, of the item that it concerns.
  ///
  /// The message takes one line, or several lines for an error that lists problems.
  func complain(_ error: any Error, about subject: String? = nil, adding advice: String = "") {
    // A list of problems contains line breaks; texts from files in it were already made printable.
    let cause = ModelError(behind: error)
    let isList = cause?.problems.isEmpty == false
    let reason = isList ? "\(error)".printable : "\(error)".printableInLine
    let beginning = subject.map { "\($0.printableInLine): " } ?? ""
    tell("ocellus: \(beginning)\(reason)\(cause?.adviceOnOperators ?? "")\(advice)\n")
  }

  /// Writes a hint or an explanation to the stream of errors.
  func note(_ text: String) { tell(text.printable) }

  /// Replaces the current line of the terminal, for progress.
  func show(_ line: String) { tell("\r\u{1B}[K" + line.printableInLine) }

  private func tell(_ text: String) {
    try? errors.write(text)
    try? errors.flush()
  }
}
