import OcellusTestSupport
import Testing

@testable import OcellusCommands

@Suite struct ManualPageTests {
  private let source = ProgramRun("help", "--man").output

  @Test func everyCommandAndOptionIsThere() throws {
    for definition in Program.commands.map({ $0.definition }) {
      let start = try #require(source.firstRange(of: ".SS ocellus \(definition.name)"))
      let rest = source[start.upperBound...]
      let section = rest.firstRange(of: "\n.S").map { rest[..<$0.lowerBound] } ?? rest
      for option in definition.options {
        let name = option.name.replacing("-", with: "\\-")
        #expect(section.contains("\\fB\\-\\-\(name)\\fR"), "\(definition.name) \(option.name)")
      }
    }
  }

  @Test(.enabled(if: Executable.isThere("groff")))
  func groffHasNothingToComplainAbout() throws {
    let groff = ["-man", "-Tutf8", "-ww"]
    #expect(try Executable.errors(of: "groff", groff, with: source).isEmpty)
    let page = try Executable.output(of: "groff", groff + ["-P-cbou"], with: source)
    #expect(page.contains("-m, --model MODEL"))
    #expect(page.contains("ocellus run model.tflite --input image=photo.npy --output results"))
  }

  @Test func aTopicWithTheManualIsWrongUsage() {
    #expect(ProgramRun("help", "detect", "--man").code == 2)
  }
}
