/// One command of the program: its definition as data, its settings as properties, its work as
/// `run`.
protocol Command {
  /// The arguments that the command accepts; parsing and help read nothing else.
  static var definition: CommandDefinition { get }

  /// Reads the settings and refuses wrong ones before any work starts.
  init(_ arguments: ParsedArguments) throws(UsageError)

  /// Does the work; an error thrown here is reported and ends with `ExitCode.failure`.
  func run(in context: CommandContext) throws -> ExitCode
}

/// The exit status of the process.
package enum ExitCode: Int32, CaseIterable, Sendable {
  /// The work was done and its result is good.
  case success = 0
  /// The work failed: a model was refused, a case differs, a mutant crashed.
  case failure = 1
  /// The command line was wrong, and nothing was done.
  case wrongUsage = 2
  /// All inputs were processed, and some of them failed; the results say which.
  case partial = 3
  /// Nothing contradicts what was checked, but it cannot be decided here.
  case undecided = 4

  /// A short description for help pages.
  var meaning: String {
    switch self {
    case .success: "fine"
    case .failure: "the work failed"
    case .wrongUsage: "wrong usage"
    case .partial: "finished, but some inputs failed"
    case .undecided: "could not be decided here"
    }
  }
}

extension ExitCode {
  /// Returns the code of a command that has processed all of its inputs.
  ///
  /// If all failed, the work failed.
  static func finished(failures: Int, of count: Int) -> ExitCode {
    if failures == 0 { return .success }
    return failures < count ? .partial : .failure
  }
}
