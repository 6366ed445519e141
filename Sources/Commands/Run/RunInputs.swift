import OcellusEngine

/// What commands that measure show a model, and which way in they take: all as `run` does.
struct RunInputs {
  private static let input = Option<[String]>.texts(
    "input", "[NAME=]FILE", accepts: .file,
    help: """
      What the model is shown, as for 'run': a .npy file, a picture, or a .bin file. May be repeated; \
      other inputs get made-up values.
      """)
  private static let signature = Option<String?>.text(
    "signature", "KEY", help: "Run the subgraph of this signature instead of the main one.")

  /// What to show and where, in the order of the help page.
  static let definitions = [input.definition, signature.definition]
  /// How pictures are shown, in the order of the help page.
  static let pictureDefinitions = InputOptions.definitions

  private let texts: [String]
  private let showing: InputOptions
  /// The signature that was asked for.
  let signatureKey: String?

  init(_ arguments: ParsedArguments) throws(UsageError) {
    texts = try arguments[Self.input]
    signatureKey = try arguments[Self.signature]
    showing = try InputOptions(arguments)
  }

  /// The files that are read.
  var paths: [String] { texts.map { InputAssignment.file(in: $0).path } }

  /// The way in.
  func entry(of interpreter: Interpreter) throws -> EntryPoint {
    try signatureKey.map { try interpreter.signature($0) } ?? interpreter.main
  }

  /// Sets the inputs.
  func set(in entry: EntryPoint, of interpreter: Interpreter) throws {
    let files = try InputAssignment(of: texts, to: entry.inputs).files
    try InputFiles(files).copy(
      to: entry,
      showing: signatureKey == nil
        ? .init(interpreter.model, interpreter.options, showing) : nil)
  }
}
