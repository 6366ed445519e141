import OcellusJSON
import OcellusProof

/// The results of `verify`, as a table and as JSON.
struct VerifyReport {
  /// A case and its outcome.
  struct Result {
    let entry: CaseFinder.Entry
    let verdict: CaseVerdict
  }

  /// The cases of one directory.
  struct Group {
    let name: String
    var passed = 0
    var failed = 0
    /// The largest share of its tolerance that an output used; `nil` if no output has a tolerance.
    var usedTolerance: Double?
  }

  private let results: [Result]
  private(set) var groups: [Group] = []
  /// The kernels that ran.
  private let kernels: String
  private let seconds: Double

  init(
    cases: [CaseFinder.Entry], verdicts: [CaseVerdict], kernels: String, seconds: Double
  ) {
    self.kernels = kernels
    results = zip(cases, verdicts).map { Result(entry: $0, verdict: $1) }
    self.seconds = seconds
    for (entry, verdict) in zip(cases, verdicts) {
      // The cases are sorted by directory.
      if groups.last?.name != entry.group { groups.append(Group(name: entry.group)) }
      groups[groups.count - 1].add(verdict)
    }
  }

  /// The cases that failed.
  var failures: [Result] { results.filter { $0.verdict.problem != nil } }

  private var passedCount: Int { groups.reduce(0) { $0 + $1.passed } }

  /// Returns the failures, a table by directory, the kernels, and a last line with the counts.
  ///
  /// With `listsOutputs`, it also contains a table of all outputs.
  func text(listsOutputs: Bool) -> String {
    var text = ""
    for failure in failures {
      // One line per failure, so failures can be counted and compared.
      let lines = (failure.verdict.problem ?? "").split(separator: "\n")
        .map { $0.drop(while: \.isWhitespace) }
      text += "FAILED \(failure.entry.label): \(lines.joined(separator: " "))\n"
    }
    if !failures.isEmpty { text += "\n" }
    if listsOutputs { text += outputTable.text() + "\n" }
    text += groupTable.text() + "\nkernels: \(kernels)\n"
    return text + "\(passedCount) passed, \(failures.count) failed\n"
  }

  private var groupTable: TextTable {
    var table = TextTable([
      .left("operator"), .right("cases"), .right("passed"), .right("failed"),
      .right("tolerance used"),
    ])
    for group in groups {
      let failed = group.failed == 0 ? "" : "\(group.failed)"
      table.add([
        group.name, "\(group.passed + group.failed)", "\(group.passed)", failed,
        group.usedTolerance.map(Self.percent) ?? "",
      ])
    }
    return table
  }

  private var outputTable: TextTable {
    var table = TextTable([.left("case"), .right("output"), .right("tolerance used")])
    for result in results {
      for (position, used) in result.verdict.usedTolerances.enumerated() {
        table.add([result.entry.label, "\(position)", used.map(Self.percent) ?? "exact"])
      }
    }
    return table
  }

  private static func percent(_ share: Double) -> String {
    share.isFinite ? "\((100 * share).fixed(1)) %" : "all"
  }

  /// The report as JSON; the names of the members are stable.
  var json: JSONValue {
    [
      "passed": .integer(passedCount), "failed": .integer(failures.count),
      "kernels": .string(kernels), "seconds": .number(seconds),
      "operators": .array(
        groups.map { group in
          [
            "name": .string(group.name), "passed": .integer(group.passed),
            "failed": .integer(group.failed),
          ]
        }),
      "failures": .array(
        failures.map { failure in
          [
            "case": .string(failure.entry.label), "path": .string(failure.entry.path),
            "reason": .string(failure.verdict.problem ?? ""),
          ]
        }),
      "cases": .array(results.map(\.json)),
    ]
  }
}

extension VerifyReport.Group {
  fileprivate mutating func add(_ verdict: CaseVerdict) {
    if verdict.problem == nil { passed += 1 } else { failed += 1 }
    for used in verdict.usedTolerances.compactMap(\.self) {
      usedTolerance = max(usedTolerance ?? 0, used)
    }
  }
}

extension VerifyReport.Result {
  /// The used share of each output's tolerance, in order, and a digest of all outputs.
  fileprivate var json: JSONValue {
    [
      "case": .string(entry.label),
      "tolerance_used": .array(
        verdict.usedTolerances.map { used in
          // JSON cannot represent infinity, and a million times the tolerance is simply wrong.
          used.map { .number(min($0, 1e6)) } ?? .null
        }),
      "digest": .string(orNull: verdict.digest.map { String($0, radix: 16) }),
    ]
  }
}
