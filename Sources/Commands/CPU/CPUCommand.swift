import OcellusJSON
import OcellusKernelABI
import OcellusKernelDispatch
import OcellusPlatform

/// `ocellus cpu`: shows which kernels run on this processor, and why.
struct CPUCommand: Command {
  private static let json = Option.flag("json", help: "Print one JSON object instead of a table.")

  static let definition = CommandDefinition(
    name: "cpu", summary: "Show which kernels run on this processor, and why.",
    options: [json.definition],
    discussion: """
      The environment variable OCELLUS_ISA limits the choice to a table and those below it; it is an \
      error when the processor cannot run that table. Integer results are the same with every table, \
      float results with all but baseline.
      """,
    examples: [
      .init(arguments: "--json", purpose: "The same for a program.")
    ])

  private let isJSON: Bool

  init(_ arguments: ParsedArguments) throws(UsageError) {
    isJSON = try arguments[Self.json]
  }

  func run(in context: CommandContext) throws -> ExitCode {
    let report = CPUReport(
      choice: .current, processorName: ProcessorName.current,
      processorCount: max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))))
    if isJSON {
      try context.print(report.json)
    } else {
      try context.write(report.text)
    }
    return report.choice.problem == nil ? .success : .failure
  }
}
