import OcellusAudit
import OcellusEngine
import OcellusImaging
import OcellusJSON
import OcellusPlatform

/// `ocellus run`: runs a model once.
struct RunCommand: Command {
  private static let input = Option<[String]>.texts(
    "input", "[NAME=]FILE", accepts: .file,
    help: """
      A .npy file, or a .bin file with the tensor's bytes, for the input of that name or number; \
      without a name, for the next input that has none yet. The shape of a .npy file becomes the \
      input's. May be repeated.
      """)
  private static let signature = Option<String?>.text(
    "signature", "KEY", help: "Run the subgraph of this signature instead of the main one.")
  private static let output = Option<String?>.text(
    "output", letter: "o", "DIR", accepts: .folder,
    help: "Write every output to DIR as NUMBER-NAME.npy.")
  private static let threads = Option<Int>.integer(
    "threads", "N", in: 1...256, default: 1, help: "Threads that share the work.")
  private static let json = Option.flag("json", help: "Print one JSON object instead of a table.")

  static let definition = CommandDefinition(
    name: "run", summary: "Run a model on .npy files, or on made-up inputs.",
    operand: OperandDefinition("MODEL", help: "a .tflite file"),
    options: [
      input.definition, signature.definition, output.definition, threads.definition,
    ] + EngineOptions.definitions + [json.definition],
    discussion: """
      Inputs without a file get numbers from a deterministic stream: fractions from 0 to 1, any \
      8- and 16-bit integers, 0 or 1 for wider ones, empty strings.

      NumPy has no bfloat16 and no integers below 8 bits: they are read and written as float32, and \
      as int8 or uint8. Strings are byte strings.
      """,
    examples: [
      .init(
        arguments: "model.tflite", purpose: "See that it runs, and what its outputs look like."),
      .init(
        arguments: "model.tflite --input image=photo.npy --output results",
        purpose: "Run it on an array and keep the outputs."),
    ])

  private let modelPath: String
  private let inputs: [String]
  private let signatureKey: String?
  private let outputDirectory: String?
  private let options: Interpreter.Options
  private let isJSON: Bool

  init(_ arguments: ParsedArguments) throws(UsageError) {
    modelPath = arguments.operands[0]
    inputs = try arguments[Self.input]
    signatureKey = try arguments[Self.signature]
    outputDirectory = try arguments[Self.output]
    options = try EngineOptions.read(arguments, threads: try arguments[Self.threads])
    isJSON = try arguments[Self.json]
  }

  func run(in context: CommandContext) throws -> ExitCode {
    let interpreter = try Interpreter(Model(path: modelPath), options: options)
    let entry = try signatureKey.map { try interpreter.signature($0) } ?? interpreter.main
    let files = try InputAssignment(of: inputs, to: entry.inputs).files
    try InputFiles(files).copy(to: entry)
    let start = MonotonicTime.now
    try entry.run()
    let milliseconds = start.millisecondsToNow
    var report = RunReport(
      modelPath: modelPath, signature: signatureKey, milliseconds: milliseconds,
      inputs: entry.inputs, inputFiles: files)
    for (index, output) in entry.outputs.enumerated() {
      let bytes = try entry.withOutputBytes(at: index) { Array($0) }
      report.outputs.append(try write(output, at: index, bytes: bytes))
    }
    if isJSON {
      context.print(report.json)
    } else {
      context.output.write(report.text.printable)
    }
    return .success
  }

  private func write(
    _ output: TensorDescription, at index: Int, bytes: [UInt8]
  ) throws -> RunReport.Output {
    let array = try NPYArray(of: output.type, shape: output.shape.dimensions, bytes: bytes)
    guard let outputDirectory else { return .init(description: output, array: array, file: nil) }
    // Tensor names have slashes and colons, which file systems and shells do not like.
    let name = output.signatureName.map { character in
      character.isASCII && (character.isLetter || character.isNumber || "._-".contains(character))
        ? character : "_"
    }
    let file = "\(outputDirectory)/\(index)-\(String(name)).npy"
    try FileSystem.createDirectory(outputDirectory)
    try FileSystem.write(array.file, to: file)
    return .init(description: output, array: array, file: file)
  }
}
