import OcellusJSON
import OcellusProfile

/// The comparison of two files of results, model by model and overall.
struct CompareReport {
  struct Pair {
    let subject: ProcessTimes.Subject
    let old: [Double]
    let new: [Double]
    let speed: SpeedRatio
    /// The changes of the steps, if both sides report them.
    let steps: StepChanges?
  }

  let pairs: [Pair]
  /// The number of subjects that only one file contains.
  let unmatchedCount: Int

  init(old: [BenchSeries], new: [BenchSeries]) {
    let others = Dictionary(uniqueKeysWithValues: new.map { ($0.subject, $0) })
    pairs = old.compactMap { series in
      others[series.subject].map { other in
        Pair(
          subject: series.subject, old: series.medians, new: other.medians,
          speed: SpeedRatio(old: series.medians, new: other.medians),
          steps: series.steps.isEmpty || other.steps.isEmpty
            ? nil : StepChanges(old: series.steps, new: other.steps))
      }
    }
    unmatchedCount = old.count + new.count - 2 * pairs.count
  }

  private var overall: SpeedRatio { SpeedRatio(pairs: pairs.map { ($0.old, $0.new) }) }

  var text: String {
    var table = TextTable([
      .left("model"), .right("threads"), .right("old ms"), .right("new ms"),
      .left("old / new, 95 %"), .left(""),
    ])
    for pair in pairs {
      let verdict = pair.speed.isCertain ? (pair.speed.ratio > 1 ? "faster" : "slower") : ""
      table.add([
        pair.subject.model, "\(pair.subject.threads)", TimeStatistics(pair.old).median.fixed(3),
        TimeStatistics(pair.new).median.fixed(3), pair.speed.text, verdict,
      ])
    }
    let unmatched = unmatchedCount == 0 ? "" : "\(unmatchedCount) are in one file only\n"
    return "\(table.text())\ngeometric mean \(overall.text)\n\(unmatched)" + blame
  }

  /// The steps that changed, model by model.
  private var blame: String {
    pairs.map { pair in
      guard let steps = pair.steps else { return "" }
      let threads = pair.subject.threads == 1 ? "one thread" : "\(pair.subject.threads) threads"
      let title = "\n\(pair.subject.model), \(threads): "
      return steps.text(title: title)
    }.joined()
  }

  var json: JSONObject {
    [
      "models": .array(
        pairs.map { pair in
          let members: JSONObject = [
            "model": .string(pair.subject.model), "threads": .integer(pair.subject.threads),
            "old_ms": .number(TimeStatistics(pair.old).median),
            "new_ms": .number(TimeStatistics(pair.new).median), "speed": pair.speed.json,
          ]
          return .object(members + StepChanges.json(pair.steps))
        }), "geometric_mean": overall.json, "unmatched": .integer(unmatchedCount),
    ]
  }
}
