/// The arguments of a command, sorted by option; `subscript` turns their texts into values.
struct ParsedArguments {
  /// What came without an option's name.
  var operands: [String] = []
  /// What was given for each option, by long name; a flag is there with empty texts.
  var texts: [String: [String]] = [:]

  /// The value of an option, its default if it was not given.
  subscript<Value>(option: Option<Value>) -> Value {
    get throws(UsageError) {
      try option.read(texts[option.definition.name] ?? [])
    }
  }

  /// Whether the help page was asked for.
  var wantsHelp: Bool { texts[OptionDefinition.help.name] != nil }
}
