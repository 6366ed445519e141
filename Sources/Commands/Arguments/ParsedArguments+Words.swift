extension ParsedArguments {
  /// Returns the given options as command-line words for another process, except those in `left`.
  func words(of definition: CommandDefinition, without left: Set<String>) -> [String] {
    definition.options.flatMap { option -> [String] in
      guard !left.contains(option.name), let values = texts[option.name] else { return [] }
      return values.map {
        option.placeholder == nil ? "--\(option.name)" : "--\(option.name)=\($0)"
      }
    }
  }
}
