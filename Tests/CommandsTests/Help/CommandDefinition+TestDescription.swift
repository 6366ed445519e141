import Testing

@testable import OcellusCommands

/// A command with all its options would fill pages of a test's report.
extension CommandDefinition: CustomTestStringConvertible {
  var testDescription: String { name }
}
