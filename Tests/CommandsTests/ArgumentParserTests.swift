import OcellusJSON
import Testing

@testable import OcellusCommands

@Suite struct ArgumentParserTests {
  static let threads = Option.integer("threads", "N", in: 1...64, default: 1, help: "Threads.")
  static let limit = Option<Int?>.integer("limit", "N", in: 0...(.max), help: "A limit.")
  static let json = Option.flag("json", help: "As JSON.")
  static let output = Option.text("output", letter: "o", "FILE", help: "Where to.")
  static let filter = Option.list("filter", "OP", help: "Only these.")
  static let input = Option<[String]>.texts("input", "FILE", help: "What goes in.")

  static let definition = CommandDefinition(
    name: "test", summary: "Tests.",
    operand: OperandDefinition("MODEL", count: 1...2, help: "the model"),
    options: [
      threads.definition, limit.definition, json.definition, output.definition, filter.definition,
      input.definition,
    ])

  private func parse(_ arguments: String...) throws -> ParsedArguments {
    try ArgumentParser(Self.definition).parse(arguments)
  }

  @Test func defaultsStandForWhatIsNotGiven() throws {
    let parsed = try parse("m")
    #expect(parsed.operands == ["m"])
    #expect(try parsed[Self.threads] == 1)
    #expect(try parsed[Self.limit] == nil)
    #expect(try parsed[Self.json] == false)
    #expect(try parsed[Self.output] == nil)
    #expect(try parsed[Self.filter] == [])
  }

  @Test func valuesMayFollowOrBeAttached() throws {
    let parsed = try parse("--threads", "4", "m", "--output=a=b", "--json", "--limit", "0")
    #expect(try parsed[Self.threads] == 4)
    #expect(try parsed[Self.output] == "a=b")
    #expect(try parsed[Self.json])
    #expect(try parsed[Self.limit] == 0)
    #expect(try parse("m", "-o", "-").texts["output"] == ["-"])
  }

  @Test func listsAreSplitAtCommasAndTextsAreNot() throws {
    let parsed = try parse("m", "--filter", "ADD,MUL", "--filter=SUB", "--input", "a,b")
    #expect(try parsed[Self.filter] == ["ADD", "MUL", "SUB"])
    #expect(try parsed[Self.input] == ["a,b"])
  }

  @Test func everythingBehindTwoDashesIsAnOperand() throws {
    #expect(try parse("--", "--json", "-x").operands == ["--json", "-x"])
    #expect(try parse("-", "-3").operands == ["-", "-3"])
  }

  @Test(arguments: [
    (["m", "--treads", "2"], "test has no option '--treads'; did you mean '--threads'?"),
    (["m", "--nonsense"], "test has no option '--nonsense'"),
    (["m", "--threads"], "--threads wants a value: --threads N"),
    (["m", "--json=1"], "--json takes no value"),
    (["m", "-o", "a", "-o", "b"], "-o is given twice"),
    ([], "test wants MODEL...: the model"),
    (["a", "b", "c"], "'c' is one MODEL too many"),
  ])
  func wrongArgumentsAreNamed(arguments: [String], message: String) {
    #expect(throws: UsageError(message)) { try ArgumentParser(Self.definition).parse(arguments) }
  }

  @Test(arguments: [
    ("0", "--threads must be from 1 to 64, not 0"),
    ("four", "--threads wants a whole number, not 'four'"),
    ("1.5", "--threads wants a whole number, not '1.5'"),
    ("99999999999999999999", "--threads wants a whole number, not '99999999999999999999'"),
  ])
  func wrongNumbersAreNamed(text: String, message: String) throws {
    let parsed = try parse("m", "--threads", text)
    #expect(throws: UsageError(message)) { try parsed[Self.threads] }
  }

  @Test func helpNeedsNoOperands() throws {
    #expect(try parse("--help").wantsHelp)
    #expect(try parse("-h").wantsHelp)
  }

  @Test func editsAreCounted() {
    #expect(Suggestion.edits(from: "kitten", to: "sitting") == 3)
    #expect(Suggestion.edits(from: "", to: "abc") == 3)
    #expect(Suggestion.edits(from: "abc", to: "") == 3)
    #expect(Suggestion.edits(from: "abc", to: "abc") == 0)
  }
}
