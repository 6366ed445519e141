/// What the process reports to its caller.
package enum ExitCode: Int32, Sendable {
  /// The work was done and its result is good.
  case success = 0
  /// The work failed: a model was refused, a case differs, a mutant crashed.
  case failure = 1
  /// The command line was wrong, and nothing was done.
  case wrongUsage = 2
}
