import Foundation
import OcellusJSON
import OcellusTestSupport
import Testing

@testable import OcellusCommands

@Suite struct OperatorsCommandTests {
  @Test func listsAddWithItsTypes() throws {
    let run = ProgramRun("operators", "--json")
    #expect(run.code == 0)
    let json = try #require(try JSONParser.parse(Array(run.output.utf8)).object)
    let operators = try #require(json["operators"]?.array).compactMap(\.object)
    let addition = try #require(operators.first { $0["name"]?.string == "ADD" })
    #expect(addition["types"]?.array?.contains("int8") == true)
    #expect(addition["cases"] == .null)
  }

  @Test func countsTheCasesOfAFolder() throws {
    let folder = try TemporaryDirectory()
    try FileManager.default.createDirectory(
      atPath: "\(folder.path)/ABS", withIntermediateDirectories: false)
    for name in ["ABS/one.bin", "ABS/one.json"] {
      try Data().write(to: URL(filePath: "\(folder.path)/\(name)"))
    }
    let run = ProgramRun("operators", "--cases", folder.path, "--markdown")
    #expect(run.output.contains("| `ABS` | 1–5 | 1 |"))
    #expect(!run.output.contains("| `ADD` |"))
    #expect(run.output.contains("without a recorded case: `ADD`"))
  }

  /// The documentation's table, which is pasted from the program's output, is up to date.
  @Test func theTableOfThePageIsTheGeneratedOne() throws {
    let page = try String(
      contentsOfFile: PackageFiles.path("Sources/Engine/Engine.docc/Operators.md"), encoding: .utf8)
    let cases = ConformanceCorpus.path
    let table = ProgramRun("operators", "--cases", cases, "--markdown").output
    #expect(page.contains(table), "paste `ocellus operators --cases … --markdown`")
  }
}
