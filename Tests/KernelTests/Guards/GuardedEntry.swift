import OcellusKernelABI

/// A call of some members of a `KernelTable` with operands between guard pages.
struct GuardedEntry: CustomStringConvertible, Sendable {
  /// The name of the test.
  let description: String
  /// The functions of the table that are called, as paths of members.
  let members: [String]
  /// About how many problems are drawn: a quarter of it by default, ten times as many in full
  /// tests.
  let problems: Int
  /// Draws a problem and runs it.
  let run: @Sendable (KernelTable, GuardedOperands) -> Void

  init(
    _ description: String, _ members: [String] = [], problems: Int = 60,
    run: @escaping @Sendable (KernelTable, GuardedOperands) -> Void
  ) {
    self.description = description
    self.members = members.isEmpty ? [description] : members
    self.problems = problems
    self.run = run
  }

  /// Creates an entry for all strategies of a family, one of which each problem runs.
  init(
    _ family: String, ofFamily functions: [String], problems: Int,
    run: @escaping @Sendable (KernelTable, GuardedOperands) -> Void
  ) {
    self.init(
      family, functions.map { "\(family).strategies.kernel.\($0)" }, problems: problems, run: run)
  }

  /// All entries; every kernel of a table must have one.
  static let all: [GuardedEntry] =
    products + depthwise + elementwise + reductions + moves + pictures + windows + recurrent
    + inspection
}
