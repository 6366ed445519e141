import OcellusJSON

/// What `verify` found out, as a table and as JSON.
struct VerifyReport {
  /// A case that failed, and why.
  struct Failure {
    let entry: CaseFinder.Entry
    let reason: String
  }

  /// The cases of one directory.
  struct Group {
    let name: String
    var passed = 0
    var failed = 0
  }

  private(set) var failures: [Failure] = []
  private(set) var groups: [Group] = []
  private let seconds: Double

  init(cases: [CaseFinder.Entry], verdicts: [CaseRunner.Verdict], seconds: Double) {
    self.seconds = seconds
    for (entry, verdict) in zip(cases, verdicts) {
      // The cases come directory by directory.
      if groups.last?.name != entry.group { groups.append(Group(name: entry.group)) }
      let last = groups.count - 1
      switch verdict {
      case .passed:
        groups[last].passed += 1
      case .failed(let reason):
        groups[last].failed += 1
        failures.append(Failure(entry: entry, reason: reason))
      }
    }
  }

  private var passedCount: Int { groups.reduce(0) { $0 + $1.passed } }

  /// The failures, a table by directory, and the count, which is the last line.
  var text: String {
    var text = ""
    for failure in failures {
      // A line for each failure is what people count and compare.
      let lines = failure.reason.split(separator: "\n").map { $0.drop(while: \.isWhitespace) }
      text += "FAILED \(failure.entry.label): \(lines.joined(separator: " "))\n"
    }
    if !failures.isEmpty { text += "\n" }
    var table = TextTable([.left("operator"), .right("cases"), .right("passed"), .right("failed")])
    for group in groups {
      let total = group.passed + group.failed
      let failed = group.failed == 0 ? "" : "\(group.failed)"
      table.add([group.name, "\(total)", "\(group.passed)", failed])
    }
    text += table.text()
    return text + "\n\(passedCount) passed, \(failures.count) failed\n"
  }

  /// The same as an object; its names stay.
  var json: JSONValue {
    [
      "passed": .integer(passedCount), "failed": .integer(failures.count),
      "seconds": .number(seconds),
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
            "reason": .string(failure.reason),
          ]
        }),
    ]
  }
}
