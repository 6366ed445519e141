/// Counts the runs of words that SKIP_GRAM makes and their characters, without going through them:
/// sixty words have more runs than anybody could wait for.
struct SkipGramCounter {
  let size: Int
  let largestSkip: Int
  /// Whether shorter runs are results, too.
  let includesShorter: Bool

  /// What a budget is charged for a word and a length.
  private static let cost = 16

  /// All runs, and their characters with the spaces in between.
  func count(
    in words: UnsafeBufferPointer<UnsafeRawBufferPointer>, _ context: RunContext
  ) throws(ModelError) -> RunCount {
    guard size >= 1, words.count >= size else { return RunCount() }
    try context.charge(multiplyAdds: saturatingProduct(words.count, size, Self.cost))
    var total = RunCount()
    // For every word the runs that end with it: first those of one word, then longer ones.
    try context.withScratch(RunCount.self, count: words.count) { ending throws(ModelError) in
      for chunk in context.chunks(of: words.count) {
        for index in chunk { ending[index] = RunCount(runs: 1, characters: words[index].count) }
      }
      for length in 1...size {
        try context.checkpoint()
        if length > 1 { try lengthen(ending, to: length, words, context) }
        if includesShorter || length == size {
          for chunk in context.chunks(of: words.count) {
            for index in chunk { total += ending[index] }
          }
          try total.require(context)
        }
      }
    }
    return total
  }

  /// Makes of the runs of one length those that are a word longer: of those that end with the
  /// words in front of it, back from the last, so that none is replaced before it was read.
  private func lengthen(
    _ ending: UnsafeMutableBufferPointer<RunCount>, to length: Int,
    _ words: UnsafeBufferPointer<UnsafeRawBufferPointer>, _ context: RunContext
  ) throws(ModelError) {
    let reach = min(max(largestSkip + 1, 0), words.count)
    let last = words.count - 1
    var window = RunCount()
    let first = max(last - reach, 0)
    for chunk in context.chunks(of: last - first) {
      for place in chunk { window += ending[first + place] }
    }
    // The sums may be more than fits when some are left out.
    try context.checkpoint()
    var work = StoppableWork(context.control)
    for index in words.indices.reversed() {
      if work.isOver(after: 4) { return }
      // Where shorter runs are no results, one that cannot become long enough counts for nothing:
      // so each that does count leads to a result, and too many are too many results.
      let isOnTheWay = includesShorter || last - index >= size - length
      try window.require(context)
      ending[index] = isOnTheWay ? window.followed(by: words[index].count) : RunCount()
      if index > 0 { window -= ending[index - 1] }
      if index > reach { window += ending[index - 1 - reach] }
    }
  }
}

/// Runs of words, and the characters of all of them.
struct RunCount: BitwiseCopyable {
  var runs = 0
  var characters = 0

  /// The same runs with a space and a word behind each.
  func followed(by wordLength: Int) -> RunCount {
    RunCount(runs: runs, characters: characters + runs * (wordLength + 1))
  }

  /// Throws if a tensor of strings cannot hold them.
  func require(_ context: RunContext) throws(ModelError) {
    let limit = Int(Int32.max)
    try context.require(
      runs <= limit && 4 * (runs + 2) + characters <= limit, "there are too many runs of words")
  }

  static func += (sum: inout RunCount, count: RunCount) {
    sum.runs += count.runs
    sum.characters += count.characters
  }

  static func -= (sum: inout RunCount, count: RunCount) {
    sum.runs -= count.runs
    sum.characters -= count.characters
  }
}
