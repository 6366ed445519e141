import OcellusJSON
import OcellusProfile

/// The comparison of two files of results, model by model and overall.
struct CompareReport {
  struct Pair {
    let model: String
    /// The numbers of threads of both sides.
    let threads: (old: Int, new: Int)
    let old: [Double]
    let new: [Double]
    let speed: SpeedRatio
    /// The changes of the steps, if both sides report them.
    let steps: StepChanges?

    init(old: BenchSeries, new: BenchSeries) {
      model = old.subject.model
      threads = (old.subject.threads, new.subject.threads)
      (self.old, self.new) = (old.medians, new.medians)
      speed = SpeedRatio(old: old.medians, new: new.medians)
      steps =
        old.steps.isEmpty || new.steps.isEmpty
        ? nil : StepChanges(old: old.steps, new: new.steps)
    }

    /// The numbers of threads in a cell of the table.
    fileprivate var threadCell: String {
      threads.old == threads.new ? "\(threads.old)" : "\(threads.old), \(threads.new)"
    }

    fileprivate var threadWords: String {
      threads.old == threads.new
        ? ThreadText.words(threads.old)
        : "\(ThreadText.words(threads.old)) against \(ThreadText.words(threads.new))"
    }
  }

  let pairs: [Pair]
  /// The number of subjects that were not compared.
  let unmatchedCount: Int

  /// Compares the subjects that both sides have.
  ///
  /// If no number of threads of a model is on both sides, numbers of threads are what is compared:
  /// the only one of one side with each of the other.
  init(old: [BenchSeries], new: [BenchSeries]) {
    let (olds, news) = (
      Dictionary(grouping: old, by: \.subject.model), Dictionary(grouping: new, by: \.subject.model)
    )
    let others = Dictionary(uniqueKeysWithValues: new.map { ($0.subject, $0) })
    let shared = Set(old.filter { others[$0.subject] != nil }.map(\.subject.model))
    let matches = old.flatMap { series -> [(old: BenchSeries, new: BenchSeries)] in
      let model = series.subject.model
      if let other = others[series.subject] { return [(series, other)] }
      guard !shared.contains(model), let candidates = news[model],
        candidates.count == 1 || olds[model]?.count == 1
      else { return [] }
      return candidates.map { (series, $0) }
    }
    pairs = matches.map { Pair(old: $0.old, new: $0.new) }
    unmatchedCount =
      old.count + new.count - Set(matches.map(\.old.subject)).count
      - Set(matches.map(\.new.subject)).count
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
        pair.model, pair.threadCell, TimeStatistics(pair.old).median.fixed(3),
        TimeStatistics(pair.new).median.fixed(3), pair.speed.text, verdict,
      ])
    }
    let unmatched =
      unmatchedCount == 0 ? "" : "\(unmatchedCount) have no counterpart in the other file\n"
    return "\(table.text())\ngeometric mean \(overall.text)\n\(unmatched)" + blame
  }

  /// The steps that changed, model by model.
  private var blame: String {
    pairs.map { pair in
      guard let steps = pair.steps else { return "" }
      return steps.text(title: "\n\(pair.model), \(pair.threadWords): ")
    }.joined()
  }

  var json: JSONObject {
    [
      "models": .array(
        pairs.map { pair in
          let members: JSONObject = [
            "model": .string(pair.model), "threads": .integer(pair.threads.old),
            "new_threads": .integer(pair.threads.new),
            "old_ms": .number(TimeStatistics(pair.old).median),
            "new_ms": .number(TimeStatistics(pair.new).median), "speed": pair.speed.json,
          ]
          return .object(members + StepChanges.json(pair.steps))
        }), "geometric_mean": overall.json, "unmatched": .integer(unmatchedCount),
    ]
  }
}
