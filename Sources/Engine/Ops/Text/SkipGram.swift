import OcellusModelFile

/// SKIP_GRAM: all sequences of `size` words of a text, with words skipped in between.
package struct SkipGram: Operator {
  package static let definition = OperatorDefinition(
    "SKIP_GRAM", types: [.string], make: { node throws(ModelError) in try Self(node) })

  package let traits: OperatorTraits = .shapesOutputsAtRun
  private let size: Int
  private let largestSkip: Int
  /// Whether shorter sequences are also results.
  private let includesShorter: Bool

  init(_ node: NodeSpec) throws(ModelError) {
    try node.requireAllOperands(1)
    try node.require(try node.output(0), .string)
    let options = node.options(BuiltinOptionsTag.skipGram)
    size = try options.integer(0)
    largestSkip = try options.integer(1)
    includesShorter = try options.bool(2)
  }

  package func outputShapes(_ context: ShapeContext) throws(ModelError) -> [Shape] { [[0]] }

  package func run(_ context: RunContext) throws(ModelError) {
    let texts = try context.strings(of: context.input(0))
    let text = texts.count > 0 ? texts[0] : UnsafeRawBufferPointer(start: nil, count: 0)
    var wordCount = 0
    Self.forEachWord(of: text, context.control) { _ in wordCount += 1 }
    // If the run was stopped, some words are not counted and have no memory.
    try context.checkpoint()
    try context.withScratch(UnsafeRawBufferPointer.self, count: wordCount) {
      words throws(ModelError) in
      var next = 0
      Self.forEachWord(of: text, context.control) {
        // A run that is stopped may find different words.
        guard next < words.count else { return }
        words[next] = $0
        next += 1
      }
      try context.checkpoint()
      try makeRuns(of: UnsafeBufferPointer(words), context)
    }
  }

  /// Makes the results, after counting them.
  ///
  /// There may be very many, so they are counted without enumeration before memory is allocated.
  private func makeRuns(
    of words: UnsafeBufferPointer<UnsafeRawBufferPointer>, _ context: RunContext
  ) throws(ModelError) {
    let counter = SkipGramCounter(
      size: size, largestSkip: largestSkip, includesShorter: includesShorter)
    let total = try counter.count(in: words, context)
    // If the run was stopped, the count is incomplete.
    try context.checkpoint()
    let output = try context.makeOutput(
      0, shape: [total.runs], byteCount: 4 * (total.runs + 2) + total.characters)
    var writer = StringWriter(count: total.runs, to: output.bytes)
    try forEachRun(of: words.count, context) { run in
      let start = writer.offset
      for chunk in context.chunks(of: run.count, workOfEach: 4) {
        for position in chunk {
          if position > 0 { writer.append(space) }
          writer.append(contentsOf: words[run[position]])
        }
      }
      writer.endString()
      return writer.offset - start
    }
  }

  /// Calls `body` for the words as the official kernel finds them.
  ///
  /// A single space before the text hides its first word, unless that is the only one.
  private static func forEachWord(
    of text: UnsafeRawBufferPointer, _ control: RunControl, _ body: (UnsafeRawBufferPointer) -> Void
  ) {
    var start = 0
    for chunk in StoppableChunks(of: max(text.count - 1, 0), control) {
      for index in chunk.lowerBound + 1..<chunk.upperBound + 1 where isSpace(text[index]) {
        if index > start && !isSpace(text[start]) {
          body(UnsafeRawBufferPointer(rebasing: text[start..<index]))
        }
        start = index + 1
      }
    }
    if start < text.count { body(UnsafeRawBufferPointer(rebasing: text[start...])) }
  }

  private static func isSpace(_ byte: UInt8) -> Bool { byte == space || (9...13).contains(byte) }

  /// Calls `body`, which returns the bytes that it writes, with the word indices of each sequence.
  ///
  /// Longer sequences precede their beginnings; otherwise they are ordered by their indices.
  /// Beginnings with too few remaining words are skipped, so every step leads to a sequence.
  private func forEachRun(
    of wordCount: Int, _ context: RunContext, _ body: ([Int]) -> Int
  ) throws(ModelError) {
    guard size >= 1, wordCount >= size else { return }
    // The array takes twice as much memory while it grows.
    try context.charging(byteCount: 3 * size * MemoryLayout<Int>.stride) {
      () throws(ModelError) in
      try visitRuns(of: wordCount, context, body)
    }
  }

  private func visitRuns(
    of wordCount: Int, _ context: RunContext, _ body: ([Int]) -> Int
  ) throws(ModelError) {
    var run = [0]
    // The word that may follow those in `run`.
    var next = 1
    var question = StoppableWork(context.control)
    while let last = run.last {
      var work = 8
      let isCompletable = includesShorter || wordCount - next >= size - run.count
      if run.count < size, next < wordCount, next - last <= largestSkip + 1, isCompletable {
        run.append(next)
        next += 1
      } else {
        if includesShorter || run.count == size { work += body(run) }
        run.removeLast()
        next = last + 1
        if run.isEmpty && next < wordCount {
          run.append(next)
          next += 1
        }
      }
      try context.checkpoint(after: work, &question)
    }
  }
}

private let space = UInt8(ascii: " ")

/// Writes strings one after the other into a tensor whose memory has exactly their size.
private struct StringWriter {
  private let bytes: UnsafeMutableRawBufferPointer
  private(set) var offset: Int
  private var index = 0

  init(count: Int, to bytes: UnsafeMutableRawBufferPointer) {
    self.bytes = bytes
    offset = 4 * (count + 2)
    bytes.storeBytes(of: Int32(count).littleEndian, toByteOffset: 0, as: Int32.self)
    storeOffset()
  }

  mutating func append(_ byte: UInt8) {
    bytes[offset] = byte
    offset += 1
  }

  mutating func append(contentsOf word: UnsafeRawBufferPointer) {
    UnsafeMutableRawBufferPointer(rebasing: bytes[offset..<offset + word.count])
      .copyMemory(from: word)
    offset += word.count
  }

  mutating func endString() {
    index += 1
    storeOffset()
  }

  private func storeOffset() {
    bytes.storeBytes(
      of: Int32(offset).littleEndian, toByteOffset: 4 * (index + 1), as: Int32.self)
  }
}
