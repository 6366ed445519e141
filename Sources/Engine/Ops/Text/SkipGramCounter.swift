/// Counts the word sequences of SKIP_GRAM and their characters without enumerating them.
///
/// Sixty words already have too many sequences to enumerate.
struct SkipGramCounter {
  let size: Int
  let largestSkip: Int
  /// Whether shorter sequences are also results.
  let includesShorter: Bool

  /// The cost that the budget is charged per word and length.
  private static let cost = 16

  /// Counts all sequences, and their characters including the spaces between words.
  func count(
    in words: UnsafeBufferPointer<UnsafeRawBufferPointer>, _ context: RunContext
  ) throws(ModelError) -> RunCount {
    guard size >= 1, words.count >= size else { return RunCount() }
    try context.charge(multiplyAdds: saturatingProduct(words.count, size, Self.cost))
    var total = RunCount()
    // The sequences that end with each word: first those of one word, then longer ones.
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

  /// Extends the sequences of one length by a word.
  ///
  /// Each word follows the sequences that end with a word before it. Words are taken from last to
  /// first, so no count is replaced before it is read.
  private func lengthen(
    _ ending: UnsafeMutableBufferPointer<RunCount>, to length: Int,
    _ words: UnsafeBufferPointer<UnsafeRawBufferPointer>, _ context: RunContext
  ) throws(ModelError) {
    let reach = min(max(largestSkip + 1, 0), words.count)
    let last = words.count - 1
    var window = RunCount()
    let first = max(last - reach, 0)
    for chunk in context.chunks(of: last - first) {
      for offset in chunk { window += ending[first + offset] }
    }
    // If the run was stopped, the sums may be incomplete and could overflow.
    try context.checkpoint()
    var work = StoppableWork(context.control)
    for index in words.indices.reversed() {
      if work.isOver(after: 4) { return }
      // If shorter sequences are no results, those that cannot become long enough are not counted.
      // Each counted one then leads to a result, and too many of them mean too many results.
      let isOnTheWay = includesShorter || last - index >= size - length
      try window.require(context)
      ending[index] = isOnTheWay ? window.followed(by: words[index].count) : RunCount()
      if index > 0 { window -= ending[index - 1] }
      if index > reach { window += ending[index - 1 - reach] }
    }
  }
}

/// A number of word sequences, and the number of characters in all of them.
struct RunCount: BitwiseCopyable {
  var runs = 0
  var characters = 0

  /// Returns the same sequences, each followed by a space and a word.
  func followed(by wordLength: Int) -> RunCount {
    RunCount(runs: runs, characters: characters + runs * (wordLength + 1))
  }

  /// Throws if the sequences do not fit in a tensor of strings.
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
