import OcellusKernelDispatch
import OcellusPlatform
import Synchronization

/// A file of measured choices: a line of text for each, below one that names the release.
///
/// Choices of another release are not read, and disappear when the file is next written. Nothing in
/// the file is trusted: an answer is a name, which counts only if a strategy of that name accepts
/// the node.
struct TuningFile {
  private let path: String

  init(_ path: String) { self.path = path }

  /// A line: a question and its answer on one processor.
  private struct Line: Hashable {
    var processor: String
    var question: StrategyQuestion
  }

  private typealias Contents = [Line: String]

  private static let title = "Ocellus strategies, release "
  private static let columns =
    "# processor, instruction set, threads, numerics, family, problem, strategy"
  /// The length that a file may have; a model takes some ten thousand bytes.
  private static let maximumByteCount = 1 << 24
  /// Held while a file is read and written, so that interpreters of this process lose none of each
  /// other's choices.
  private static let writing = Mutex(())

  /// Returns the answers for this processor; it is an error if a required file does not exist.
  func answers(isRequired: Bool) throws(ModelError) -> [StrategyQuestion: String] {
    var answers: [StrategyQuestion: String] = [:]
    for (line, strategy) in try read(isRequired: isRequired)
    where line.processor == Self.processor {
      answers[line.question] = strategy
    }
    return answers
  }

  /// Adds answers for this processor to the file, which is read again before, since others may have
  /// written it.
  func add(_ answers: [StrategyQuestion: String]) throws(ModelError) {
    try Self.writing.withLock { _ throws(ModelError) in
      var contents = try read(isRequired: false)
      for (question, strategy) in answers {
        contents[Line(processor: Self.processor, question: question)] = strategy
      }
      var bytes = Array(Self.text(contents).utf8)
      if bytes.count > Self.maximumByteCount {
        // What does not fit is measured again.
        let end = bytes[..<Self.maximumByteCount].lastIndex(of: UInt8(ascii: "\n"))
        bytes.removeSubrange((end.map { $0 + 1 } ?? 0)...)
      }
      do {
        try FileSystem.write(bytes, to: path)
      } catch {
        throw ModelError(.unreadable, "the measured strategies cannot be remembered: \(error)")
      }
    }
  }

  // MARK: Reading

  private func read(isRequired: Bool) throws(ModelError) -> Contents {
    if !isRequired, !FileSystem.exists(path) { return [:] }
    let bytes: [UInt8]
    do {
      bytes = try FileSystem.read(path, limit: Self.maximumByteCount)
    } catch {
      throw ModelError(.unreadable, "the measured strategies cannot be read: \(error)")
    }
    let lines = String(decoding: bytes, as: UTF8.self).lines
    guard let first = lines.first, first.hasPrefix(Self.title) else {
      throw ModelError(
        .malformed,
        "\(path): this is not a file of measured strategies; name another one, or a new one")
    }
    return first == Self.title + Release.version ? try contents(lines) : [:]
  }

  private func contents(_ lines: [Substring]) throws(ModelError) -> Contents {
    var contents: Contents = [:]
    for (index, line) in lines.enumerated().dropFirst() where !line.isEmpty && line.first != "#" {
      let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      guard fields.count == 7, let threadCount = Int(fields[2]) else {
        throw ModelError(
          .malformed,
          "\(path): line \(index + 1) is damaged; remove the file to measure the strategies again")
      }
      let question = StrategyQuestion(
        instructionSet: fields[1], threadCount: threadCount, numerics: fields[3],
        family: fields[4], problems: fields[5])
      contents[Line(processor: fields[0], question: question)] = fields[6]
    }
    return contents
  }

  // MARK: Writing

  private static func text(_ contents: Contents) -> String {
    let lines = contents.map { line, strategy in
      [
        line.processor, line.question.instructionSet, "\(line.question.threadCount)",
        line.question.numerics, line.question.family, line.question.problems, strategy,
      ].joined(separator: "\t")
    }
    return ([title + Release.version, columns] + lines.sorted()).joined(separator: "\n") + "\n"
  }

  /// The processor by which choices are told apart.
  private static let processor =
    (ProcessorName.current ?? CPUFeatures.current.names.joined(separator: " ")).printableInLine
}
