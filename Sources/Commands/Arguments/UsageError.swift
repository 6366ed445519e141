/// A command line that cannot be understood; it ends with `ExitCode.wrongUsage`.
struct UsageError: Error, Equatable {
  /// What is wrong, in one line, naming the argument.
  let message: String
  /// The command whose help explains what would be right.
  let command: String?

  init(_ message: String, command: String? = nil) {
    self.message = message
    self.command = command
  }
}
