import OcellusAudit
import OcellusEngine
import OcellusJSON
import OcellusModelFile
import OcellusPlatform
import OcellusProof

/// `ocellus reduce`: makes the smallest model with which a command still fails.
struct ReduceCommand: Command {
  private static let command = Option<String?>.text(
    "keep-failing", "COMMAND",
    help: """
      A command line for the shell that fails with the model; '{}' in it stands for the model's path, \
      which otherwise is its last argument. What it prints is dropped.
      """)
  private static let output = Option<String?>.text(
    "output", letter: "o", "FILE", accepts: .newFile,
    help: "Write the smallest model to FILE, and every better one as soon as it is found.")
  private static let anyFailure = Option.flag(
    "any-failure",
    help: "Keep any failure, not only those with the exit code that the original model leads to.")
  private static let runLimit = Option<Int>.integer(
    "run-limit", "SECONDS", in: 1...86_400, default: 60,
    help:
      "Time after which a run of the command is killed; it then counts as one that does not fail.")
  private static let limit = Option<Int>.integer(
    "limit", "SECONDS", in: 1...(.max >> 32), default: 3600,
    help: "Time after which the smallest model so far is the result.")
  private static let json = Option.flag("json", help: "Print one JSON object.")

  static let definition = CommandDefinition(
    name: "reduce", summary: "Shrink a model to the smallest one with which a command still fails.",
    operand: .model,
    options: [
      command.definition, output.definition, anyFailure.definition, runLimit.definition,
      limit.definition, OutputClaims.force.definition, json.definition,
    ],
    discussion: """
      For reports of faults in any program that reads models. Nodes are left out first (by delta \
      debugging: what they computed becomes an input), then outputs; extents become smaller, weights \
      zero and options defaults, as long as the command ends with the same exit code as with the \
      original, or 128 plus the number of the signal that kills it. If this engine can plan the original, \
      it can plan the result.

      To keep a difference between two programs, let COMMAND be a script that compares them; 'ocellus \
      diff' exits with 1 if two sides differ.
      """,
    examples: [
      .init(
        arguments: "model.tflite --keep-failing ./crashes.sh -o small.tflite",
        purpose: "The smallest model with which a script fails."),
      .init(
        arguments: "model.tflite --keep-failing ./differs.py -o small.tflite --limit 300",
        purpose: "What can be left out in five minutes."),
    ])

  private let modelPath: String
  private let commandText: String
  private let outputPath: String
  private let keepsAnyFailure: Bool
  private let runLimit: Int
  private let limit: Int
  private let isForced: Bool
  private let isJSON: Bool

  init(_ arguments: ParsedArguments) throws(UsageError) {
    modelPath = arguments.operands[0]
    guard let command = try arguments[Self.command] else {
      throw UsageError("say which command fails, with --keep-failing COMMAND")
    }
    guard let output = try arguments[Self.output], output != "-" else {
      throw UsageError("say where the smallest model goes, with --output FILE")
    }
    commandText = command
    outputPath = output
    keepsAnyFailure = try arguments[Self.anyFailure]
    runLimit = try arguments[Self.runLimit]
    limit = try arguments[Self.limit]
    isForced = try arguments[OutputClaims.force]
    isJSON = try arguments[Self.json]
  }

  func run(in context: CommandContext) throws -> ExitCode {
    var claims = OutputClaims(reading: [modelPath], isForced: isForced)
    try claims.claim(outputPath, for: "--output")
    let original = try ModelBytes(path: StoredModelNames.required(modelPath))
    let file: ModelFile
    do throws(ModelFileError) { file = try ModelFile(original) } catch { throw ModelError(error) }
    let candidate = outputPath + ".candidate.tflite"
    try claims.claim(candidate, for: "--output")
    defer { try? FileSystem.remove(candidate) }
    let command = FailingCommand(commandText, reading: candidate, seconds: Double(runLimit))
    let code = try exitCode(of: command, with: Array(original.buffer))
    let progress = ProgressLine(in: context)
    let reducer = try Reducer(
      file, seconds: Double(limit),
      report: { state in
        progress.show(
          "\(state.trialCount) trials, \(state.nodeCount) nodes left; leaving out \(state.step)")
      },
      while: { bytes in
        guard case .code(let found) = try command.end(of: bytes),
          found == code || keepsAnyFailure && found != 0
        else { return false }
        try FileSystem.write(bytes, to: outputPath)
        return true
      })
    let isReducible = try reducer.reduce()
    progress.clear()
    guard isReducible else {
      throw RunError(
        "the command no longer fails in the same way with the same model written anew, so that the fault "
          + "depends on where things are in the file")
    }
    try FileSystem.write(reducer.model.bytes(), to: outputPath)
    let report = ReductionReport(
      path: outputPath, before: try ModelWriter(copying: file),
      byteCountBefore: original.buffer.count,
      reducer: reducer, code: code)
    if isJSON { try context.print(report.json) } else { try context.write(report.text) }
    return .success
  }

  /// Returns the exit code with the original model.
  private func exitCode(of command: FailingCommand, with file: [UInt8]) throws -> Int32 {
    switch try command.end(of: file) {
    case .tookTooLong:
      throw RunError(
        "with the original model the command takes more than \(runLimit) seconds: --run-limit")
    case .code(0):
      throw RunError(
        """
        the command does not fail with the original model: its exit code is 0; --keep-failing \
        wants one that exits with another code
        """)
    case .code(127):
      throw RunError("there is no such command: the shell's exit code is 127")
    case .code(let code): return code
    }
  }
}
