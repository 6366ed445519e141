import Testing

@testable import OcellusCommands

@Suite struct ProgramTests {
  /// What a run of the program left behind.
  struct Run {
    let code: ExitCode
    let output: String
    let errors: String

    init(_ arguments: String...) { self.init(arguments) }

    init(_ arguments: [String]) {
      let output = TextBuffer()
      let errors = TextBuffer()
      code = Program.run(arguments, in: CommandContext(output: output, errors: errors))
      self.output = output.text
      self.errors = errors.text
    }
  }

  @Test func withoutArgumentsItExplainsItself() {
    let run = Run()
    #expect(run.code == .wrongUsage)
    #expect(run.output.isEmpty)
    #expect(run.errors.contains("usage: ocellus COMMAND"))
  }

  @Test(arguments: ["help", "--help", "-h"])
  func helpListsEveryCommand(spelling: String) {
    let run = Run(spelling)
    #expect(run.code == .success)
    #expect(run.errors.isEmpty)
    for command in Program.commands { #expect(run.output.contains("  \(command.definition.name)")) }
  }

  @Test(arguments: Program.commands.map { $0.definition })
  func everyCommandHasAPage(definition: CommandDefinition) {
    let page = Run("help", definition.name).output
    #expect(page == Run(definition.name, "--help").output)
    #expect(page.hasPrefix(definition.summary))
    for option in definition.options { #expect(page.contains("--\(option.name)")) }
    #expect(page.split(separator: "\n").allSatisfy { $0.count <= 100 })
  }

  @Test(arguments: Program.commands.map { $0.definition })
  func everyCommandRefusesAnOptionItHasNot(definition: CommandDefinition) {
    let run = Run(definition.name, "--hepl")
    #expect(run.code == .wrongUsage)
    #expect(run.output.isEmpty)
    #expect(run.errors.contains("did you mean '--help'?"))
    #expect(run.errors.contains("Try 'ocellus help \(definition.name)'."))
  }

  @Test func unknownCommandsGetAHint() {
    let run = Run("verfy")
    #expect(run.code == .wrongUsage)
    #expect(
      run.errors == """
        ocellus: there is no command 'verfy'; did you mean 'verify'?
        Try 'ocellus help'.

        """)
  }

  @Test func versionIsPrinted() {
    let run = Run("--version")
    #expect(run.code == .success)
    #expect(run.output == "ocellus \(Program.version)\n")
  }

  @Test func missingFilesAreAFailureOfTheWork() {
    let run = Run("verify", "/nowhere")
    #expect(run.code == .failure)
    #expect(run.errors == "ocellus: /nowhere: Not a directory\n")
  }
}
