/// The options that select classes.
struct ClassOptions {
  private static let only = Option<[String]>.list(
    "only", "LABEL[,LABEL...]", help: "Only these classes.")
  private static let except = Option<[String]>.list(
    "except", "LABEL[,LABEL...]", help: "Not these classes.")

  /// The options in the order of the help page.
  static let definitions = [only.definition, except.definition]

  /// The classes to report; `nil` for all.
  let allowed: Set<String>?
  /// The classes to omit.
  let denied: Set<String>

  init(_ arguments: ParsedArguments) throws(UsageError) {
    let only = try arguments[Self.only]
    allowed = only.isEmpty ? nil : Set(only)
    denied = Set(try arguments[Self.except])
  }
}
