/// Parses the arguments of a command by its definition.
///
/// It accepts `--name VALUE`, `--name=VALUE`, `-x VALUE`, flags, and `--`, after which every
/// argument is an operand.
struct ArgumentParser {
  private let definition: CommandDefinition

  init(_ definition: CommandDefinition) {
    self.definition = definition
  }

  /// Parses the arguments, or throws an error about the wrong one.
  func parse(_ arguments: [String]) throws(UsageError) -> ParsedArguments {
    var parsed = ParsedArguments()
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      if argument == "--" {
        parsed.operands += rest
        break
      }
      // A single dash means a standard stream by convention, and a negative number is no option.
      if argument.hasPrefix("-"), argument != "-", Int(argument) == nil {
        try takeOption(argument, from: &rest, into: &parsed)
      } else {
        parsed.operands.append(argument)
      }
    }
    if !parsed.wantsHelp { try checkCount(of: parsed.operands) }
    return parsed
  }

  private func takeOption(
    _ argument: String, from rest: inout ArraySlice<String>, into parsed: inout ParsedArguments
  ) throws(UsageError) {
    let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let spelling = String(parts[0])
    let option = try option(spelled: spelling)
    var value = ""
    if let placeholder = option.placeholder {
      if parts.count == 2 {
        value = String(parts[1])
      } else if let next = rest.popFirst() {
        value = next
      } else {
        throw UsageError("\(spelling) wants a value: \(spelling) \(placeholder)")
      }
    } else if parts.count == 2 {
      throw UsageError("\(spelling) takes no value")
    }
    if parsed.texts[option.name] != nil, !option.isRepeatable {
      throw UsageError("\(spelling) is given twice")
    }
    parsed.texts[option.name, default: []].append(value)
  }

  private func option(spelled spelling: String) throws(UsageError) -> OptionDefinition {
    let found = definition.options.first { $0.spellings.contains(spelling) }
    if let found { return found }
    let hint = Suggestion.text(for: spelling, among: definition.options.map { "--\($0.name)" })
    throw UsageError("\(definition.name) has no option '\(spelling)'\(hint)")
  }

  private func checkCount(of operands: [String]) throws(UsageError) {
    guard let operand = definition.operand else {
      guard let extra = operands.first else { return }
      throw UsageError("\(definition.name) takes no '\(extra)'")
    }
    if operands.count < operand.count.lowerBound {
      throw UsageError("\(definition.name) wants \(operand.usage): \(operand.help)")
    }
    if operands.count > operand.count.upperBound {
      let extra = operands[operand.count.upperBound]
      throw UsageError("'\(extra)' is one \(operand.placeholder) too many")
    }
  }
}

/// An error in a command line; the program exits with `ExitCode.wrongUsage`.
struct UsageError: Error, Equatable {
  /// A one-line message that names the wrong argument.
  let message: String
  /// The command whose help explains the correct usage.
  let command: String?

  init(_ message: String, command: String? = nil) {
    self.message = message
    self.command = command
  }
}
