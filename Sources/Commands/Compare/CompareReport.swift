import OcellusJSON
import OcellusProfile

/// What two files of results have in common, model by model and as a whole.
struct CompareReport {
  struct Pair {
    let subject: BenchSeries.Subject
    let old: [Double]
    let new: [Double]
    let speed: SpeedRatio
  }

  let pairs: [Pair]
  /// What only one of the files has.
  let unmatchedCount: Int

  init(old: [BenchSeries], new: [BenchSeries]) {
    let newTimes = Dictionary(uniqueKeysWithValues: new.map { ($0.subject, $0.medians) })
    pairs = old.compactMap { series in
      newTimes[series.subject].map { times in
        Pair(
          subject: series.subject, old: series.medians, new: times,
          speed: SpeedRatio(old: series.medians, new: times))
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
    return "\(table.text())\ngeometric mean \(overall.text)\n\(unmatched)"
  }

  var json: JSONValue {
    [
      "models": .array(
        pairs.map { pair in
          [
            "model": .string(pair.subject.model), "threads": .integer(pair.subject.threads),
            "old_ms": .number(TimeStatistics(pair.old).median),
            "new_ms": .number(TimeStatistics(pair.new).median), "speed": pair.speed.json,
          ]
        }), "geometric_mean": overall.json, "unmatched": .integer(unmatchedCount),
    ]
  }
}
