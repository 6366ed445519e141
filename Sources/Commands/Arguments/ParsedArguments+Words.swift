extension ParsedArguments {
  /// The options that were given as a command line has them, for another process.
  func words(of definition: CommandDefinition, without left: Set<String>) -> [String] {
    definition.options.flatMap { option -> [String] in
      guard !left.contains(option.name), let values = texts[option.name] else { return [] }
      return values.map {
        option.placeholder == nil ? "--\(option.name)" : "--\(option.name)=\($0)"
      }
    }
  }
}
