import Foundation
import Testing

/// What budgets promise holds for every operator, with inputs as large as memory admits: planning or a run whose time is
/// over, and a run that another thread cancels, end soon; and what becomes resident was charged.
///
/// Judged in a process of its own by its processor time and its memory, with a part of what
/// `limit-check` can do. In release only: plain loops of debug builds take thirty times as long.
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
