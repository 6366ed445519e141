import OcellusModelFile
import OcellusPlatform
import OcellusTestSupport
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
    let lines = run.output.split(separator: "\n")
    #expect(lines.count == 2)
    #expect(lines.first?.hasPrefix("ocellus \(Program.version) (") == true)
    #expect(lines.last?.hasPrefix("instruction sets: ") == true)
    #expect(lines.last?.hasSuffix("baseline") == true)
  }

  /// `git archive` puts a hash in the place of its pattern; what is neither is not passed on.
  @Test func theVersionNamesTheCommitOfExportedSources() {
    #expect(Commit.hash(exported: "$" + "Format:%H$") == nil)
    #expect(Commit.hash(exported: "") == nil)
    let hash = "0123456789abcdef0123456789abcdef01234567"
    #expect(Commit.hash(exported: hash) == hash)
    #expect(
      Commit.versionLines(hash: hash, instructionSets: ["avx2", "baseline"]) == [
        "ocellus \(Program.version) (commit 0123456789ab)", "instruction sets: avx2, baseline",
      ])
    #expect(
      Commit.versionLines(hash: nil, instructionSets: []).first?.hasSuffix("(from a checkout)")
        == true)
  }

  @Test func missingFilesAreAFailureOfTheWork() {
    let run = ProgramRun("verify", "/nowhere")
    #expect(run.code == 1)
    #expect(run.errors == "ocellus: /nowhere: No such file or directory\n")
  }

  /// Each problem of a model takes one line, whatever its file's names contain.
  @Test(arguments: [["run"], ["detect", CommandSamples.picture, "-m"]])
  func problemsOfAModelAreLines(arguments: [String]) throws {
    let folder = try TemporaryDirectory()
    let path = folder.path + "/two.tflite"
    let picture = ModelWriter.Tensor("x", .uint8, [1, 8, 8, 3])
    let operators = [0, 1].map { place in
      let name = "Strange\n\u{1B}[2J\(place)"
      return ModelWriter.Operator(
        OperatorCodeRecord(builtinCode: BuiltinOperator.custom, customCode: name),
        inputs: [place], outputs: [place + 1])
    }
    let writer = ModelWriter(subgraphs: [
      .init(tensors: [picture, picture, picture], inputs: [0], outputs: [2], operators: operators)
    ])
    try FileSystem.write(writer.bytes(), to: path)
    let run = ProgramRun(arguments + [path])
    #expect(run.code == 1)
    let lines = run.errors.split(separator: "\n")
    #expect(lines.count == 3)
    #expect(lines.first == "ocellus: the model cannot be run: 2 problems")
    for (place, line) in lines.dropFirst().enumerated() {
      #expect(line.hasPrefix("  node \(place) (Strange\\u{A}\\u{1B}[2J\(place)): "))
    }
  }
}
