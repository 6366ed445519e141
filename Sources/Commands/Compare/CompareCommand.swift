import OcellusJSON

/// `ocellus compare`: compares two files of benchmark results.
struct CompareCommand: Command {
  private static let json = Option.flag("json", help: "Print one JSON object instead of a table.")

  static let definition = CommandDefinition(
    name: "compare", summary: "Compare two files of results of 'bench' or 'profile'.",
    operand: OperandDefinition(
      "RESULTS", count: 2...2,
      help: "a file with one JSON object a line, or '-': the old one, the new one"),
    options: [json.definition],
    discussion: """
      A file holds any number of results for each model and number of threads, best from processes \
      that took turns with those of the other file. If a model has other numbers of threads in the \
      other file, and one file has a single number, these numbers are compared. The ratio is old time over new time, so above 1 \
      the new one is faster; the interval behind it would hold the ratio in 95 of 100 repetitions. \
      If the interval includes 1, the difference may be chance, and no verdict is given; nor is \
      one given if a file has fewer than four results.

      Results of 'profile --json' and 'bench --profile --json' also tell which steps changed: \
      those whose times, relative to the other steps of their processes, would differ this much \
      by chance in at most two of a hundred comparisons. Finding a step that is 5 % slower takes \
      about fifteen results in each file.
      """,
    examples: [
      .init(arguments: "before.jsonl after.jsonl", purpose: "See what a change did."),
      .init(
        arguments: "one-thread.jsonl two-threads.jsonl", purpose: "See what a second thread does."),
    ])

  private let paths: [String]
  private let isJSON: Bool

  init(_ arguments: ParsedArguments) throws(UsageError) {
    paths = arguments.operands
    if paths == ["-", "-"] { throw UsageError("only one of the two can be standard input ('-')") }
    isJSON = try arguments[Self.json]
  }

  func run(in context: CommandContext) throws -> ExitCode {
    let report = CompareReport(
      old: try BenchSeries.read(paths[0]), new: try BenchSeries.read(paths[1]))
    guard !report.pairs.isEmpty else {
      context.complain(
        "no model is in both files with the same number of threads, or with one number of threads "
          + "in one of them")
      return .failure
    }
    if isJSON {
      try context.print(.object(report.json))
    } else {
      try context.write(report.text)
    }
    return .success
  }
}
