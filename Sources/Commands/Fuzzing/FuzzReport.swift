import OcellusJSON
import OcellusPlatform
import OcellusProof

/// The results of `fuzz`, as a table and as JSON.
struct FuzzReport {
  /// A mutant that the engine neither refused nor ran.
  struct Failure {
    let model: String
    let mutant: Int
    let reason: String
    let change: String
  }

  /// The mutants of one model.
  struct Tally {
    let model: String
    var outcomes: [MutantTrial.Outcome: Int] = [:]
    var crashed = 0
    var hung = 0

    var total: Int { outcomes.values.reduce(crashed + hung, +) }
  }

  /// The maximum number of failures of a kind in the text; the JSON contains all.
  private static let shownFailures = 5

  let tallies: [Tally]
  let failures: [Failure]
  let kind: MutationKind
  let seed: Int
  let seconds: Double

  private var total: Int { tallies.reduce(0) { $0 + $1.total } }

  /// The failures, a table by model, and a last line with the total.
  var text: String {
    var text = failureText
    let columns = ["mutants", "no load", "no plan", "no run", "ran", "differed", "crashed", "hung"]
    var table = TextTable([.left("model")] + columns.map { .right($0) })
    for tally in tallies {
      let counts = [tally.total] + MutantTrial.Outcome.allCases.map { tally.outcomes[$0] ?? 0 }
      table.add(
        [tally.model.lastPathComponent]
          + (counts + [tally.crashed, tally.hung]).map { $0 == 0 ? "" : $0.grouped })
    }
    text += table.text()
    let rate = Int(Double(total) / max(seconds, 1e-9))
    text +=
      "\nseed \(seed): \(total.grouped) mutants in \(seconds.fixed(1)) s (\(rate.grouped)/s), "
    return text + "\(failures.count) failed\n"
  }

  /// The failures by model and reason, with a few mutants of each.
  private var failureText: String {
    let kinds = Dictionary(grouping: failures) { "\($0.model): \($0.reason)" }
    var text = ""
    for (title, failures) in kinds.sorted(by: { $0.key < $1.key }) {
      text += "FAILED \(title) (\(failures.count))\n"
      for failure in failures.prefix(Self.shownFailures) {
        text += "  mutant \(failure.mutant): \(failure.change)\n"
      }
      let first = failures[0]
      text +=
        "  to see: ocellus fuzz \(first.model) --kind \(kind.rawValue) --seed \(seed) "
        + "--replay \(first.mutant)\n"
    }
    return text.isEmpty ? "" : text + "\n"
  }

  /// The report as JSON; the names of the members are stable.
  var json: JSONValue {
    [
      "seed": .integer(seed), "mutants": .integer(total), "failed": .integer(failures.count),
      "seconds": .number(seconds),
      "models": .array(tallies.map(json)),
      "failures": .array(
        failures.map { failure in
          [
            "model": .string(failure.model), "mutant": .integer(failure.mutant),
            "reason": .string(failure.reason), "change": .string(failure.change),
          ]
        }),
    ]
  }

  private func json(of tally: Tally) -> JSONValue {
    var object = JSONObject(modelAt: tally.model)
    object.append("mutants", .integer(tally.total))
    for outcome in MutantTrial.Outcome.allCases {
      object.append(outcome.name, .integer(tally.outcomes[outcome] ?? 0))
    }
    object.append("crashed", .integer(tally.crashed))
    object.append("hung", .integer(tally.hung))
    return .object(object)
  }
}

extension FuzzReport {
  /// Counts the outcomes of all mutants.
  init(
    subjects: [FuzzSubject], kind: MutationKind, schedule: MutantSchedule, seed: Int,
    outcomes: IsolatedWork.Outcomes, seconds: Double
  ) {
    var tallies = subjects.map { Tally(model: $0.path) }
    var failures: [Failure] = []
    for item in 0..<schedule.count {
      let (subject, mutant) = schedule[item]
      let reason = tallies[subject].count(outcomes[item])
      guard let reason else { continue }
      failures.append(
        Failure(
          model: subjects[subject].path, mutant: mutant, reason: reason,
          change: subjects[subject].change(ofMutant: mutant)))
    }
    self.init(tallies: tallies, failures: failures, kind: kind, seed: seed, seconds: seconds)
  }
}

extension FuzzReport.Tally {
  /// Counts an outcome and returns the reason if it is a failure.
  fileprivate mutating func count(_ outcome: WorkItemOutcome) -> String? {
    switch outcome {
    case .answered(let answer):
      guard let outcome = answer.first.flatMap(MutantTrial.Outcome.init) else { return nil }
      outcomes[outcome, default: 0] += 1
      return outcome == .differed ? "other results with other kernels" : nil
    case .died(let cause):
      crashed += 1
      return cause
    case .timedOut:
      hung += 1
      return "hung"
    case .neverRun:
      crashed += 1
      return "no process could be started for it"
    }
  }
}
