import OcellusJSON
import OcellusPlatform

/// `ocellus models`: public models that work here, and how to get them.
struct ModelsCommand: Command {
  private static let json = Option.flag("json", help: "Print JSON instead of text.")

  static let definition = CommandDefinition(
    name: "models", summary: "List public models that work here, and say how to get them.",
    operand: OperandDefinition(
      "list|info ID", count: 1...2, accepts: .words(["list", "info"]),
      help: "all models, or one of them"),
    options: [json.definition],
    discussion: """
      Addresses name a commit, so that what is behind them never changes; the checksum says so. \
      Nothing is downloaded: info prints the lines for a shell that do it.
      """,
    examples: [
      .init(arguments: "list", purpose: "What there is."),
      .init(
        arguments: "info coco-ssd-mobilenet-v1 | sh",
        purpose: "Fetch a model and check it."),
    ])

  private enum Action {
    case list
    case info(id: String)
  }

  private let action: Action
  private let isJSON: Bool

  init(_ arguments: ParsedArguments) throws(UsageError) {
    let words = arguments.operands
    switch (words[0], words.count) {
    case ("list", 1): action = .list
    case ("info", 2): action = .info(id: words[1])
    default: throw UsageError("say 'models list', or 'models info ID'")
    }
    isJSON = try arguments[Self.json]
  }

  func run(in context: CommandContext) throws -> ExitCode {
    let catalog = try ModelCatalog.embedded()
    switch action {
    case .list: try list(catalog.entries, in: context)
    case .info(let id): try describe(try catalog.entry(id), in: context)
    }
    return .success
  }

  private func list(
    _ entries: [ModelCatalog.Entry], in context: CommandContext
  ) throws(FileError) {
    if isJSON { return try context.print(["models": .array(entries.map(\.json))]) }
    var table = TextTable([
      .left("model"), .left("task"), .right("size"), .left("licence"), .left("what it does"),
    ])
    for entry in entries {
      table.add([
        entry.id, entry.task, entry.model.byteCount.byteText, entry.license, entry.summary,
      ])
    }
    try context.write(table.text())
  }

  /// Comments and commands of a shell, so that the whole can be piped into one.
  private func describe(
    _ entry: ModelCatalog.Entry, in context: CommandContext
  ) throws(FileError) {
    if isJSON { return try context.print(entry.json) }
    try context.print("# \(entry.name): \(entry.summary)")
    try context.print(
      "# \(entry.task), \(entry.model.byteCount.byteText), \(entry.license); labels: "
        + (entry.labelsNote ?? "a file of their own"))
    for line in entry.model.shellLines + (entry.labels?.shellLines ?? []) {
      try context.print(line)
    }
  }
}
