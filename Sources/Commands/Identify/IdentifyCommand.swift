import OcellusEngine
import OcellusJSON
import OcellusPlatform

/// `ocellus identify`: says by which rules a logged output was computed.
struct IdentifyCommand: Command {
  private static let input = Option<[String]>.texts(
    "input", "[NAME=]FILE", accepts: .file,
    help: """
      What the model was shown: a .npy file for the input of that name or number, without a name for \
      the next one, or an .npz file with an array for each input, named like it. May be repeated.
      """)
  private static let output = Option<[String]>.texts(
    "output", "[NAME=]FILE", accepts: .file,
    help: "What it answered, in the same form. Outputs that are left out are not compared.")
  private static let threads = Option<Int>.integer(
    "threads", "N", in: 1...256, default: 1, help: "Threads that share the work.")
  private static let json = Option.flag("json", help: "Print one JSON object instead of text.")

  static let definition = CommandDefinition(
    name: "identify", summary: "Say by which rules a logged output was computed.",
    operand: .model,
    options: [input.definition, output.definition, threads.definition]
      + BudgetOptions.definitions + [json.definition],
    discussion: """
      The model is run on the input by the rules of each runtime that the engine imitates: 'exact' \
      has the bits of the official reference kernels, 'litert' those of LiteRT's default delegate, \
      'fast' those of this engine, and 'bfloat16' those of its products of bfloat16. The answer \
      names the rules that reproduce the output to the bit, how near the others come, and the first \
      node at which they part. Where several reproduce it, this input cannot tell them apart: give \
      another.

      The exit code is \(ExitCode.undecided.rawValue) if none of them reproduces the output: another \
      runtime, version or processor computed it, or from another input.
      """,
    examples: [
      .init(
        arguments: "model.tflite --input image.npy --output scores.npy",
        purpose: "Which rounding was it?"),
      .init(
        arguments: "model.tflite --input log.npz --output log.npz --json",
        purpose: "From one log with the arrays of all inputs and outputs."),
    ])

  private let modelPath: String
  private let inputs: [String]
  private let outputs: [String]
  private let options: Interpreter.Options
  private let isJSON: Bool

  init(_ arguments: ParsedArguments) throws(UsageError) {
    modelPath = arguments.operands[0]
    inputs = try arguments[Self.input]
    outputs = try arguments[Self.output]
    guard !inputs.isEmpty else {
      throw UsageError("say with --input what the model was shown")
    }
    guard !outputs.isEmpty else {
      throw UsageError("say with --output what the model answered")
    }
    options = Interpreter.Options(
      threads: try arguments[Self.threads], budget: try BudgetOptions.read(arguments))
    isJSON = try arguments[Self.json]
  }

  func run(in context: CommandContext) throws -> ExitCode {
    let identification = try NumericsIdentification(
      of: Model(FileOrStream.model(modelPath)), inputs: LoggedTensors(inputs),
      outputs: LoggedTensors(outputs), options)
    if isJSON {
      try context.print(identification.json)
    } else {
      try context.write(identification.text)
    }
    return identification.reproducing.isEmpty ? .undecided : .success
  }
}
