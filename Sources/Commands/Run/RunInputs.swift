import OcellusEngine

/// The inputs and the entry point of commands that measure a model, with the semantics of `run`.
struct RunInputs {
  private static let input = Option<[String]>.texts(
    "input", "[NAME=]FILE", accepts: .file,
    help: """
      What the model is shown, as for 'run': a .npy file, a picture, or a .bin file. May be repeated; \
      other inputs get made-up values.
      """)
  private static let signature = Option<String?>.text(
    "signature", "KEY", help: "Run the subgraph of this signature instead of the main one.")

  /// The options for inputs and signatures, in the order of the help page.
  static let definitions = [input.definition, signature.definition]
  /// The options for pictures, in the order of the help page.
  static let pictureDefinitions = InputOptions.definitions

  private let texts: [String]
  private let showing: InputOptions
  /// The requested signature.
  let signatureKey: String?

  init(_ arguments: ParsedArguments) throws(UsageError) {
    texts = try arguments[Self.input]
    signatureKey = try arguments[Self.signature]
    showing = try InputOptions(arguments)
  }

  /// The paths of all files that are read.
  var paths: [String] { texts.map { InputAssignment.file(in: $0).path } }

  /// Returns the requested entry point.
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
