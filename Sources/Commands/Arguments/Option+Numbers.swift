extension Option where Value == Double? {
  /// A number without a default.
  static func number(
    _ name: String, _ placeholder: String, in range: ClosedRange<Double>, help: String
  ) -> Option {
    Option(
      definition: OptionDefinition(
        name: name, placeholder: placeholder, help: help)
    ) { texts throws(UsageError) in
      guard let text = texts.last else { return nil }
      guard let number = Double(text), range.contains(number) else {
        throw UsageError(
          "--\(name) wants a number from \(range.lowerBound) to \(range.upperBound), not '\(text)'")
      }
      return number
    }
  }
}

extension Option {
  /// One of several words, without a default.
  static func choice<Wrapped>(
    _ name: String, _ placeholder: String, of choices: [(word: String, value: Wrapped)],
    help: String
  ) -> Option where Value == Wrapped?, Wrapped: Sendable {
    let words = choices.map(\.word)
    return Option(
      definition: OptionDefinition(
        name: name, placeholder: placeholder, accepts: .words(words), help: help)
    ) { texts throws(UsageError) in
      guard let text = texts.last else { return nil }
      guard let choice = choices.first(where: { $0.word == text }) else {
        let hint = Suggestion.text(for: text, among: words)
        throw UsageError(
          "--\(name) is one of \(words.joined(separator: ", ")), not '\(text)'\(hint)")
      }
      return choice.value
    }
  }
}
