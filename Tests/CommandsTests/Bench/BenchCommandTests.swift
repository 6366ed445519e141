import OcellusJSON
import OcellusProfile
import OcellusTestSupport
import Testing

@testable import OcellusCommands

@Suite struct BenchCommandTests {
  @Test func statisticsOfAFewTimes() {
    let odd = TimeStatistics([5, 1, 3])
    #expect(odd.median == 3)
    #expect(odd.minimum == 1)
    #expect(odd.maximum == 5)
    #expect(odd.mean == 3)
    #expect(TimeStatistics([4, 1, 3, 2]).median == 2.5)
    #expect(TimeStatistics((1...10).map(Double.init)).ninetiethPercentile == 9)
    #expect(TimeStatistics((1...11).map(Double.init)).ninetiethPercentile == 10)
    #expect(TimeStatistics([7]).ninetiethPercentile == 7)
  }

  /// The output has the JSON members that the race against the official runtime reads.
  @Test func printsWhatTheRaceReads() throws {
    let directory = try TemporaryDirectory()
    let model = try ConformanceCorpus().unpack("RESHAPE/float32_infer.tflite", into: directory)
    let run = ProgramRun(
      "bench", model, "--threads", "1", "--warmup", "2", "--runs", "3", "--json")
    #expect(run.code == 0)
    #expect(run.output.hasPrefix("{"))
    #expect(run.output.split(separator: "\n").count == 1)
    let report = try #require(try JSONParser.parse(Array(run.output.utf8)).object)
    for name in ["load_ms", "first_invoke_ms", "peak_rss_kb"] {
      #expect(try #require(report[name]?.number) > 0)
    }
    let times = try #require(report["invoke_ms"]?.object)
    let median = try #require(times["median"]?.number)
    #expect(try #require(times["min"]?.number) <= median)
    #expect(report["runs"] == 3)
  }
}
