import OcellusJSON
import OcellusKernelDispatch
import OcellusPlatform
import Testing

@testable import OcellusCommands

@Suite struct CPUCommandTests {
  private func report(_ features: CPUFeatures, requested: String?) -> CPUReport {
    CPUReport(
      choice: KernelChoice(features: features, requested: requested), processorName: "Test",
      processorCount: 8)
  }

  @Test func namesTheChoiceAndTheReasons() {
    let text = report([.x86v2, .x86v3], requested: nil).text
    #expect(text.contains("no: this CPU lacks x86-64-v4, avx512vnni"))
    #expect(text.contains("chosen: the best that may run"))
    #expect(text.contains("OCELLUS_ISA  not set"))
    #expect(report(.x86v2, requested: "nonsense").text.contains("error: OCELLUS_ISA=nonsense"))
  }

  @Test func jsonHasStableNames() throws {
    let run = ProgramRun("cpu", "--json")
    #expect(run.code == 0)
    let json = try #require(try JSONParser.parse(Array(run.output.utf8)).object)
    let chosen = try #require(json["chosen"]?.string)
    let tables = try #require(json["tables"]?.array).compactMap(\.object)
    #expect(tables.first { $0["name"]?.string == chosen }?["available"] == true)
    #expect(json["features"]?.array != nil)
  }
}
