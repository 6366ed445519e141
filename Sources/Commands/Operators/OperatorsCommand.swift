import OcellusEngine
import OcellusJSON
import OcellusProof

/// `ocellus operators`: lists the supported operators and their number of conformance cases.
struct OperatorsCommand: Command {
  private static let cases = Option<String?>.text(
    "cases", "CASES", accepts: .file,
    help:
      "Count the cases of a conformance corpus for each operator: those of a directory or a .tar.gz."
  )
  private static let markdown = Option.flag(
    "markdown", help: "Print the table as Markdown, as on the page Operators.")
  private static let json = Option.flag("json", help: "Print one JSON object instead of a table.")

  static let definition = CommandDefinition(
    name: "operators", summary: "List the operators that models may use.",
    options: [cases.definition, markdown.definition, json.definition],
    discussion: """
      Types are those of an operator's first operand, or of its result where it has no operand. A \
      case is a model of one operator with the results of the official runtime; 'verify' runs them.
      """,
    examples: [
      .init(arguments: "--json", purpose: "What this program can run, for a program."),
      .init(
        arguments: "--cases Tests/Conformance/cases.tar.gz --markdown",
        purpose: "The table of the page Operators, with the number of cases for each operator."),
    ])

  private let casesPath: String?
  private let isMarkdown: Bool
  private let isJSON: Bool

  init(_ arguments: ParsedArguments) throws(UsageError) {
    casesPath = try arguments[Self.cases]
    isMarkdown = try arguments[Self.markdown]
    isJSON = try arguments[Self.json]
  }

  func run(in context: CommandContext) throws -> ExitCode {
    let counts = try casesPath.map { path in
      Dictionary(
        try CaseFinder(groups: []).cases(in: [path]).map { ($0.group, 1) },
        uniquingKeysWith: +)
    }
    let report = OperatorsReport(operators: allOperators, caseCounts: counts)
    if isJSON {
      try context.print(report.json)
    } else {
      try context.write(isMarkdown ? report.markdown : report.text)
    }
    return .success
  }
}
