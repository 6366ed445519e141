import OcellusKernelABI

/// How some members of a `KernelTable` are called between guard pages.
struct GuardedEntry: CustomStringConvertible, Sendable {
  /// What the test is called.
  let description: String
  /// The functions of the table that are called, as paths of members.
  let members: [String]
  /// How many problems are drawn, about: a quarter of it by default, ten times as many in full.
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

  /// An entry for all strategies of a family, of which each problem takes one.
  init(
    _ family: String, ofFamily functions: [String], problems: Int,
    run: @escaping @Sendable (KernelTable, GuardedOperands) -> Void
  ) {
    self.init(
      family, functions.map { "\(family).strategies.kernel.\($0)" }, problems: problems, run: run)
  }

  /// Every kernel of a table has an entry: a new one needs one more.
  static let all: [GuardedEntry] =
    products + depthwise + elementwise + reductions + moves + pictures + windows + recurrent
    + inspection
}
