/// A named option and the conversion of its text to a value.
struct Option<Value: Sendable>: Sendable {
  let definition: OptionDefinition
  /// Makes the value from all texts given for the option; an empty list means the default.
  let read: @Sendable (_ texts: [String]) throws(UsageError) -> Value
}

extension Option where Value == Bool {
  /// A flag without a value.
  static func flag(_ name: String, letter: Character? = nil, help: String) -> Option {
    Option(
      definition: OptionDefinition(
        name: name, letter: letter, isRepeatable: true, help: help)
    ) { texts in !texts.isEmpty }
  }
}

extension Option where Value == Int {
  /// An integer with a default.
  static func integer(
    _ name: String, _ placeholder: String, in range: ClosedRange<Int>, default fallback: Int,
    help: String
  ) -> Option {
    Option(
      definition: OptionDefinition(
        name: name, placeholder: placeholder, help: "\(help) Default: \(fallback).")
    ) { texts throws(UsageError) in
      guard let text = texts.last else { return fallback }
      return try wholeNumber(text, of: name, in: range)
    }
  }
}

extension Option where Value == Int? {
  /// An integer without a default.
  static func integer(
    _ name: String, _ placeholder: String, in range: ClosedRange<Int>, help: String
  ) -> Option {
    Option(
      definition: OptionDefinition(
        name: name, placeholder: placeholder, help: help)
    ) { texts throws(UsageError) in
      guard let text = texts.last else { return nil }
      return try wholeNumber(text, of: name, in: range)
    }
  }
}

extension Option where Value == String? {
  /// A text without a default.
  static func text(
    _ name: String, letter: Character? = nil, _ placeholder: String,
    accepts accepted: AcceptedValues = .text, help: String
  ) -> Option {
    Option(
      definition: OptionDefinition(
        name: name, letter: letter, placeholder: placeholder, accepts: accepted, help: help)
    ) { texts in texts.last }
  }
}

extension Option where Value == [String] {
  /// One text for each time the option is given.
  static func texts(
    _ name: String, letter: Character? = nil, _ placeholder: String,
    accepts accepted: AcceptedValues = .text, help: String
  ) -> Option {
    Option(
      definition: OptionDefinition(
        name: name, letter: letter, placeholder: placeholder, accepts: accepted,
        isRepeatable: true, help: help)
    ) { texts in texts }
  }

  /// Words, one or several separated by commas for each time the option is given.
  static func list(
    _ name: String, _ placeholder: String, accepts accepted: AcceptedValues = .text, help: String
  ) -> Option {
    Option(
      definition: OptionDefinition(
        name: name, placeholder: placeholder, accepts: accepted, isRepeatable: true, help: help)
    ) { texts in texts.flatMap { $0.split(separator: ",").map(String.init) } }
  }
}

extension Option where Value == [Int] {
  /// Integers, separated by commas.
  static func integers(
    _ name: String, _ placeholder: String, in range: ClosedRange<Int>, default fallback: Int,
    help: String
  ) -> Option {
    Option(
      definition: OptionDefinition(
        name: name, placeholder: "\(placeholder)[,\(placeholder)...]",
        help: "\(help) Default: \(fallback).")
    ) { texts throws(UsageError) in
      guard let text = texts.last else { return [fallback] }
      var numbers: [Int] = []
      for part in text.split(separator: ",", omittingEmptySubsequences: false) {
        numbers.append(try wholeNumber(String(part), of: name, in: range))
      }
      return numbers
    }
  }
}

private func wholeNumber(
  _ text: String, of name: String, in range: ClosedRange<Int>
) throws(UsageError) -> Int {
  guard let number = Int(text) else {
    throw UsageError("--\(name) wants a whole number, not '\(text)'")
  }
  guard range.contains(number) else {
    let bound =
      range.upperBound == .max
      ? "at least \(range.lowerBound)" : "from \(range.lowerBound) to \(range.upperBound)"
    throw UsageError("--\(name) must be \(bound), not \(text)")
  }
  return number
}
