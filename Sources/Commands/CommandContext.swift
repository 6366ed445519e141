import OcellusJSON
import OcellusPlatform

/// Where a command writes, so that tests can read what it wrote.
package struct CommandContext {
  /// Results, for a person or for the next program in a pipe.
  let output: any TextOutput
  /// Errors and progress.
  let errors: any TextOutput
  /// Whether somebody is watching `errors`: progress is shown to people, never to log files.
  let errorsAreWatched: Bool

  init(output: any TextOutput, errors: any TextOutput, errorsAreWatched: Bool = false) {
    self.output = output
    self.errors = errors
    self.errorsAreWatched = errorsAreWatched
  }

  /// The context of the process: its standard output and standard error.
  package static func process() -> CommandContext {
    CommandContext(
      output: FileOutput(descriptor: STDOUT_FILENO), errors: FileOutput(descriptor: STDERR_FILENO),
      errorsAreWatched: isatty(STDERR_FILENO) == 1)
  }

  /// Writes one line of results.
  func print(_ line: String = "") {
    output.write(line + "\n")
  }

  /// Writes a value as one line of JSON: one line is what line-based tools can pick out.
  func print(_ value: JSONValue) {
    output.write(value.text + "\n")
  }

  /// Writes one line to the errors, behind the name of the program.
  func complain(_ message: String) {
    errors.write("ocellus: \(message.printable)\n")
  }
}
