/// The arguments of a command by option; `subscript` converts their texts to values.
struct ParsedArguments {
  /// The positional arguments.
  var operands: [String] = []
  /// The texts given for each option, by long name; a flag has an empty text.
  var texts: [String: [String]] = [:]

  /// The value of an option, or its default if it was not given.
  subscript<Value>(option: Option<Value>) -> Value {
    get throws(UsageError) {
      try option.read(texts[option.definition.name] ?? [])
    }
  }

  /// Whether the help page was requested.
  var wantsHelp: Bool { texts[OptionDefinition.help.name] != nil }
}
