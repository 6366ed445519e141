import Testing

@testable import OcellusCommands

/// Shortens a command in test reports to its name, because all its options would fill pages.
extension CommandDefinition: CustomTestStringConvertible {
  var testDescription: String { name }
}
