import OcellusArrays
import OcellusAudit
import OcellusEngine
import OcellusJSON
import OcellusModelFile
import OcellusPlatform

/// `ocellus run`: runs a model once.
struct RunCommand: Command {
  private static let input = Option<[String]>.texts(
    "input", "[NAME=]FILE", accepts: .file,
    help: """
      A .npy file, a picture, or a .bin file with the tensor's bytes, for the input of that name or \
      number; without a name, for the next input that has none yet. The shape of a .npy file becomes \
      the input's; a picture is shown as 'detect --exact' shows it. May be repeated.
      """)
  private static let signature = Option<String?>.text(
    "signature", "KEY", help: "Run the subgraph of this signature instead of the main one.")
  private static let output = Option<String?>.text(
    "output", letter: "o", "DIR", accepts: .newFolder,
    help: "Write every output to DIR as NUMBER-NAME.npy.")
  private static let threads = Option<Int>.integer(
    "threads", "N", in: 1...256, default: 1, help: "Threads that share the work.")
  private static let json = Option.flag("json", help: "Print one JSON object instead of a table.")

  static let definition = CommandDefinition(
    name: "run", summary: "Run a model on .npy files or pictures, or on made-up inputs.",
    operand: .model,
    options: [
      input.definition, signature.definition, output.definition, threads.definition,
    ] + EngineOptions.definitions + InputOptions.definitions + [
      OutputClaims.force.definition, json.definition,
    ],
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
  private let showing: InputOptions
  private let isForced: Bool
  private let isJSON: Bool

  init(_ arguments: ParsedArguments) throws(UsageError) {
    modelPath = arguments.operands[0]
    inputs = try arguments[Self.input]
    signatureKey = try arguments[Self.signature]
    outputDirectory = try arguments[Self.output]
    options = try EngineOptions.read(arguments, threads: try arguments[Self.threads])
    showing = try InputOptions(arguments)
    isForced = try arguments[OutputClaims.force]
    isJSON = try arguments[Self.json]
  }

  func run(in context: CommandContext) throws -> ExitCode {
    let interpreter = try Interpreter(Model(FileOrStream.model(modelPath)), options: options)
    let entry = try signatureKey.map { try interpreter.signature($0) } ?? interpreter.main
    let files = try InputAssignment(of: inputs, to: entry.inputs).files
    let targets = try targets(for: entry.outputs, reading: Array(files.values))
    let contents = try InputFiles(files)
    try contents.copy(
      to: entry, showing: signatureKey == nil ? .init(interpreter.model, options, showing) : nil)
    let start = MonotonicTime.now
    try entry.run()
    let milliseconds = start.millisecondsToNow
    var report = RunReport(
      modelPath: modelPath, modelBytes: interpreter.model.file.bytes, signature: signatureKey,
      milliseconds: milliseconds,
      inputs: entry.inputs, inputFiles: files)
    for (index, output) in entry.outputs.enumerated() {
      let bytes = try entry.withOutputBytes(at: index) { Array($0) }
      let array = try NPYArray(of: output.type, shape: output.shape.dimensions, bytes: bytes)
      if let target = targets?[index] {
        try FileSystem.createDirectory(target.parentPath)
        try context.write(array.file, to: target)
      }
      report.outputs.append(.init(description: output, array: array, file: targets?[index]))
    }
    if isJSON {
      try context.print(report.json)
    } else {
      try context.write(report.text)
    }
    return .success
  }

  /// Returns the path of the file for each output.
  private func targets(
    for outputs: [TensorDescription], reading inputs: [String]
  ) throws(UsageError) -> [String]? {
    guard let outputDirectory else { return nil }
    try OutputClaims.requireFolder(
      outputDirectory, for: "--output", hint: "name a folder for the files of the outputs")
    var claims = OutputClaims(reading: inputs + [modelPath], isForced: isForced)
    var files: [String] = []
    for (index, output) in outputs.enumerated() {
      // File systems and shells reject some characters of tensor names, such as slashes and colons.
      let name = output.signatureName.prefix(Self.longestName).map { character in
        character.isASCII
          && (character.isLetter || character.isNumber || "._-".contains(character))
          ? character : "_"
      }
      files.append("\(outputDirectory)/\(index)-\(String(name)).npy")
      try claims.claim(files[index], for: "--output")
    }
    return files
  }

  /// The maximum length of a name; file systems allow 255 bytes.
  private static let longestName = 200
}
