import OcellusEngine
import OcellusJSON
import OcellusProfile

/// The results of `kernel bench` for a node, as a table and as JSON.
///
/// Rates and shares of the limit are those of the fastest turn, since other work on the machine only
/// slows a run.
struct KernelReport {
  let trial: KernelBenchmark
  /// The peak rates of the instruction sets, by name.
  let limits: [String: MachineLimits]

  var text: String {
    var table = TextTable([
      .left("implementation"), .right("fastest ms"), .right("median"), .right("expected"),
      .right("GMAC/s"),
      .right("GB/s"),
      .right("of limit"), .right("of reference"), .left("kernel"),
    ])
    for outcome in trial.outcomes {
      guard let time = outcome.time else {
        table.add(
          [outcome.implementation.name, "", "", "", "", "", "", ""]
            + [(outcome.isWrong ? "REFUSED: " : "") + (outcome.problem ?? "")])
        continue
      }
      table.add([
        outcome.implementation.name, time.minimum.fixed(5), time.median.fixed(5),
        (outcome.strategy?.nanoseconds).map { ($0 / 1e6).fixed(5) } ?? "",
        trial.multiplyAdds > 0 ? rate(trial.multiplyAdds, time).fixed(1) : "",
        rate(trial.byteCount, time).fixed(1),
        limit(outcome).map { "\((100 * $0).fixed(0)) %" } ?? "",
        speed(outcome).map { "\($0.fixed(1)) x" } ?? "", outcome.kernel ?? "",
      ])
    }
    let work = trial.multiplyAdds > 0 ? ", \(trial.multiplyAdds.grouped) multiply-adds" : ""
    return "\(trial.node.title)\(work), \(trial.byteCount.byteText)\n\(table.text())"
  }

  /// Returns a table of many nodes, with the times of all implementations in one row each.
  static func overview(_ reports: [KernelReport]) -> String {
    let names = KernelImplementation.all.map(\.name).filter { name in
      reports.contains { $0.outcome(name)?.time != nil }
    }
    var table = TextTable(
      [.left("node"), .right("multiply-adds")]
        + names.flatMap { [.right("\($0) us"), .right("GMAC/s"), .right("of limit")] })
    for report in reports {
      let cells = names.flatMap { name -> [String] in
        guard let outcome = report.outcome(name), let time = outcome.time else {
          return ["", report.outcome(name)?.isWrong == true ? "REFUSED" : "", ""]
        }
        return [
          (1000 * time.minimum).fixed(2),
          report.trial.multiplyAdds > 0
            ? report.rate(report.trial.multiplyAdds, time).fixed(1) : "",
          report.limit(outcome).map { "\((100 * $0).fixed(0)) %" } ?? "",
        ]
      }
      let work = report.trial.multiplyAdds
      table.add([report.trial.node.title, work > 0 ? work.grouped : ""] + cells)
    }
    return table.text()
  }

  private func outcome(_ name: String) -> KernelBenchmark.Outcome? {
    trial.outcomes.first { $0.implementation.name == name }
  }

  private func rate(_ count: Int, _ time: TimeStatistics) -> Double {
    Double(count) / max(time.minimum, .leastNonzeroMagnitude) / 1e6
  }

  private func speed(_ outcome: KernelBenchmark.Outcome) -> Double? {
    guard let time = outcome.time,
      let reference = trial.outcomes.last(where: { $0.time != nil })?.time
    else { return nil }
    return reference.minimum / time.minimum
  }

  /// Returns the share of the peak rate that was reached.
  private func limit(_ outcome: KernelBenchmark.Outcome) -> Double? {
    let tier = outcome.implementation.name.prefix { $0 != "," }
    guard let time = outcome.time, let limits = limits[String(tier)], !limits.isDisturbed,
      let minimum = limits.minimumMilliseconds(
        multiplyAdds: trial.multiplyAdds,
        arithmetic: trial.node.arithmetic(by: outcome.kernel ?? ""),
        byteCount: trial.byteCount)
    else { return nil }
    return minimum / time.minimum
  }

  var json: JSONObject {
    [
      "node": .string(trial.node.title), "operator": .string(trial.node.operatorName),
      "multiply_adds": .integer(trial.multiplyAdds), "bytes": .integer(trial.byteCount),
      "threads": .integer(trial.threads),
      "implementations": .array(
        trial.outcomes.map { outcome in
          [
            "name": .string(outcome.implementation.name), "kernel": .string(orNull: outcome.kernel),
            "ms": outcome.time?.json ?? .null,
            "gmac_per_s": outcome.time.map { .number(rate(trial.multiplyAdds, $0)) } ?? .null,
            "gb_per_s": outcome.time.map { .number(rate(trial.byteCount, $0)) } ?? .null,
            "of_limit": limit(outcome).map { .number($0) } ?? .null,
            "family": .string(orNull: outcome.choice?.family),
            "strategy": .string(orNull: outcome.strategy?.name),
            "is_chosen": .bool(outcome.implementation.strategy == nil),
            "expected_ms": (outcome.strategy?.nanoseconds).map { .number($0 / 1e6) } ?? .null,
            "work": .array((outcome.strategy?.work ?? []).map { .number($0) }),
            "problem": .string(orNull: outcome.problem), "is_wrong": .bool(outcome.isWrong),
          ]
        }),
    ]
  }
}
