/// The positional arguments of a command.
struct OperandDefinition: Sendable {
  /// The name of one operand in help pages, in capitals.
  let placeholder: String
  /// The permitted number of operands.
  let count: ClosedRange<Int>
  /// The accepted values, for completion.
  let accepted: AcceptedValues
  /// Words that select an action if they are the first operand.
  let actions: [String]
  /// The number of operands behind an action that have nothing to do with `accepted`.
  let otherOperands: Int
  /// Whether an operand may also be a word that is neither a file nor a model.
  let takesOtherWords: Bool
  /// A description for help pages.
  let help: String

  init(
    _ placeholder: String, count: ClosedRange<Int> = 1...1,
    accepts accepted: AcceptedValues = .file, actions: [String] = [],
    otherOperands: Int = 0, takesOtherWords: Bool = false, help: String
  ) {
    self.actions = actions
    self.otherOperands = otherOperands
    self.takesOtherWords = takesOtherWords
    self.placeholder = placeholder
    self.count = count
    self.accepted = accepted
    self.help = help
  }

  /// A model, for commands that examine one.
  static let model = OperandDefinition(
    "MODEL", accepts: .model,
    help: "a .tflite file, the name of a model that was pulled, or '-' for standard input")

  /// The operands as the usage line shows them; a placeholder of several words says it itself.
  var usage: String {
    guard !placeholder.contains(" ") else { return placeholder }
    let required = Array(repeating: placeholder, count: max(count.lowerBound, 1))
    let repeated =
      required.joined(separator: " ") + (count.upperBound > required.count ? "..." : "")
    return count.lowerBound == 0 ? "[\(repeated)]" : repeated
  }
}
