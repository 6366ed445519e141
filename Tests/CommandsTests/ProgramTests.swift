import Testing

@testable import OcellusCommands

@Suite struct ProgramTests {
  @Test func withoutArgumentsItExplainsItself() {
    let run = ProgramRun()
    #expect(run.code == 2)
    #expect(run.output.isEmpty)
    #expect(run.errors.contains("usage: ocellus COMMAND"))
  }

  @Test(arguments: ["help", "--help", "-h"])
  func helpListsEveryCommand(spelling: String) {
    let run = ProgramRun(spelling)
    #expect(run.code == 0)
    #expect(run.errors.isEmpty)
    for command in Program.commands { #expect(run.output.contains("  \(command.definition.name)")) }
  }

  @Test(arguments: Program.commands.map { $0.definition })
  func everyCommandHasAPage(definition: CommandDefinition) {
    let page = ProgramRun("help", definition.name).output
    #expect(page == ProgramRun(definition.name, "--help").output)
    #expect(page.hasPrefix(definition.summary))
    for option in definition.options { #expect(page.contains("--\(option.name)")) }
    #expect(Set(definition.options.map(\.name)).count == definition.options.count)
    #expect(page.split(separator: "\n").allSatisfy { $0.count <= 100 })
  }

  @Test(arguments: Program.commands.map { $0.definition })
  func everyCommandRefusesAnOptionItHasNot(definition: CommandDefinition) {
    let run = ProgramRun(definition.name, "--hepl")
    #expect(run.code == 2)
    #expect(run.output.isEmpty)
    #expect(run.errors.contains("did you mean '--help'?"))
    #expect(run.errors.contains("Try 'ocellus help \(definition.name)'."))
  }

  @Test func unknownCommandsGetAHint() {
    let run = ProgramRun("verfy")
    #expect(run.code == 2)
    #expect(
      run.errors == """
        ocellus: there is no command 'verfy'; did you mean 'verify'?
        Try 'ocellus help'.

        """)
  }

  @Test func versionIsPrinted() {
    let run = ProgramRun("--version")
    #expect(run.code == 0)
    #expect(run.output == "ocellus \(Program.version)\n")
  }

  @Test func missingFilesAreAFailureOfTheWork() {
    let run = ProgramRun("verify", "/nowhere")
    #expect(run.code == 1)
    #expect(run.errors == "ocellus: /nowhere: No such file or directory\n")
  }
}
