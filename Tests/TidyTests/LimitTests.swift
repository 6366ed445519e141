import Foundation
import Testing

/// Budgets hold for every operator, with inputs as large as memory allows.
///
/// Planning or a run past its deadline ends soon, a run cancelled by another thread does too, and
/// resident memory was charged to the budget. A child process is measured by its processor time and
/// memory, with a sample of the cases of `limit-check`. The test needs a release build: the
/// reference kernels of debug builds take thirty times as long.
@Suite struct LimitTests {
  private static let program = Repository.build.appending(path: "limit-check")

  #if DEBUG
    private static let isOptimized = false
  #else
    private static let isOptimized = true
  #endif

  @Test(.enabled(if: isOptimized, "a debug build"))
  func budgetsHoldForLargeInputs() throws {
    try #require(
      FileManager.default.fileExists(atPath: Self.program.path), "build limit-check first")
    let isWhole = ProcessInfo.processInfo.environment["OCELLUS_FULL_TESTS"] != nil
    let lines = try Repository.output(
      of: Self.program.path, isWhole ? ["--cases", "3"] : ["--every", "40"]
    ).split(separator: "\n")
    let summary = try #require(lines.last)
    #expect(summary.hasSuffix(" 0 broken promises"), "\(lines.joined(separator: "\n"))")
    #expect(!summary.hasPrefix("0 runs"))
  }
}
