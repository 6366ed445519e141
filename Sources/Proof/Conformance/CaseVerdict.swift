/// The outcome of a case.
package struct CaseVerdict: Equatable {
  /// The reason of a failure; `nil` if the case passed.
  package var problem: String?
  /// The share of its tolerance that each output used, as the maximum of all runs.
  ///
  /// 1 is the whole tolerance; `nil` stands for outputs that are compared exactly or without
  /// numbers.
  package var usedTolerances: [Double?]
  /// A digest of the bits of all results that are not random.
  package var digest: UInt64?

  package init(problem: String? = nil, usedTolerances: [Double?] = [], digest: UInt64? = nil) {
    self.problem = problem
    self.usedTolerances = usedTolerances
    self.digest = digest
  }

  package static let passed = Self()

  package static func failed(_ problem: String) -> Self { Self(problem: problem) }
}
