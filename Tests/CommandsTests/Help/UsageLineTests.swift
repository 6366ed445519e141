import Testing

@testable import OcellusCommands

/// Usage lines say how many operands there are.
@Suite struct UsageLineTests {
  @Test(arguments: [
    (OperandDefinition("SIDE", count: 2...2, help: ""), "SIDE SIDE"),
    (OperandDefinition("MODEL", count: 1...1, help: ""), "MODEL"),
    (OperandDefinition("MODEL", count: 1...9, help: ""), "MODEL..."),
    (OperandDefinition("VIDEO", count: 0...1, help: ""), "[VIDEO]"),
    (OperandDefinition("NAME", count: 0...9, help: ""), "[NAME...]"),
    (OperandDefinition("FILE", count: 2...9, help: ""), "FILE FILE..."),
    (OperandDefinition("MODEL [IMAGE...]", count: 1...9, help: ""), "MODEL [IMAGE...]"),
  ])
  func operandsAreCounted(operand: OperandDefinition, usage: String) {
    #expect(operand.usage == usage)
  }

  /// No usage line repeats what its placeholder repeats already, and lines of several words say
  /// themselves what may be repeated.
  @Test(arguments: Program.commands.map { $0.definition })
  func linesOfCommandsAreSound(definition: CommandDefinition) throws {
    guard let operand = definition.operand else { return }
    let line = try #require(
      HelpPage.page(for: definition).split(separator: "\n").first { $0.hasPrefix("usage: ") })
    #expect(!line.contains("...]..."))
    let dots = line.split(separator: "...", omittingEmptySubsequences: false).count - 1
    #expect(dots == (operand.count.upperBound > 9 ? 1 : 0), "\(line)")
  }
}
