/// The arguments of a command that come without an option's name.
struct OperandDefinition: Sendable {
  /// How help pages call one of them, in capitals.
  let placeholder: String
  /// How many there may be.
  let count: ClosedRange<Int>
  /// What they may be.
  let accepted: AcceptedValues
  /// Words that the first of them may be in the place of that, and that say what to do.
  let actions: [String]
  /// Whether one of them may be a word that is neither a file nor a model.
  let takesOtherWords: Bool
  /// What they are.
  let help: String

  init(
    _ placeholder: String, count: ClosedRange<Int> = 1...1,
    accepts accepted: AcceptedValues = .file, actions: [String] = [],
    takesOtherWords: Bool = false, help: String
  ) {
    self.actions = actions
    self.takesOtherWords = takesOtherWords
    self.placeholder = placeholder
    self.count = count
    self.accepted = accepted
    self.help = help
  }

  /// A model, for commands that look at one.
  static let model = OperandDefinition(
    "MODEL", accepts: .model,
    help: "a .tflite file, the name of a model that was pulled, or '-' for standard input")

  /// How the usage line shows them.
  var usage: String {
    let repeated = count.upperBound > 1 ? "\(placeholder)..." : placeholder
    return count.lowerBound == 0 ? "[\(repeated)]" : repeated
  }
}
