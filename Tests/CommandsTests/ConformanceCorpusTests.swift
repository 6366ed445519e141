import OcellusEngine
import OcellusJSON
import OcellusTestSupport
import Testing

@testable import OcellusCommands

/// The corpus that comes with the package: every case must pass on every machine.
@Suite struct ConformanceCorpusTests {
  @Test(arguments: [[], ["--reference"]])
  func everyCasePasses(options: [String]) throws {
    let run = try ProgramRun(ofProcess: ["verify", ConformanceCorpus.path, "--json"] + options)
    let report = try #require(try JSONParser.parse(Array(run.output.utf8)).object)
    #expect(report["failures"] == [])
    // Cases that are not found cannot fail.
    #expect(report["passed"] == 3690)
    #expect(report["operators"]?.array?.count == 180)
    #expect(run.code == 0)
  }

  @Test func everyOperatorHasCases() throws {
    let groups = Set(try CaseFinder(groups: []).cases(in: [ConformanceCorpus.path]).map(\.group))
    let missing = allOperators.map(\.name).filter { !groups.contains($0.replacing(".", with: "_")) }
    // MediaPipe's own operators: the official runtime has no kernels that could say what is right.
    #expect(
      missing == ["Convolution2DTransposeBias", "MaxPoolingWithArgmax2D", "MaxUnpooling2D"])
  }
}
