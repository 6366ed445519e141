import OcellusJSON
import OcellusPlatform
import OcellusProof
import OcellusTestSupport
import Testing

@testable import OcellusCommands

@Suite struct FuzzCommandTests {
  private let directory: TemporaryDirectory
  private let models: [String]

  init() throws {
    let directory = try TemporaryDirectory()
    let corpus = try ConformanceCorpus()
    models = try corpus.names(of: "tflite", in: "RESHAPE").prefix(2)
      .map { try corpus.unpack($0, into: directory) }
    self.directory = directory
  }

  private func fuzz(_ options: String...) throws -> ProgramRun {
    try ProgramRun(ofProcess: ["fuzz"] + models + options)
  }

  @Test func everyMutantIsAccountedFor() throws {
    let run = try fuzz("--mutants", "401", "--json", "--jobs", "2")
    #expect(run.code == 0)
    let report = try #require(try JSONParser.parse(Array(run.output.utf8)).object)
    #expect(report["mutants"] == 401)
    #expect(report["failed"] == 0)
    let tallies = try #require(report["models"]?.array).compactMap(\.object)
    #expect(tallies.map { $0["mutants"] } == [201, 200])
    for tally in tallies {
      let outcomes = [
        "refused_at_load", "refused_at_plan", "refused_at_run", "ran", "differed", "crashed",
        "hung",
      ]
      .compactMap { tally[$0]?.integer }
      #expect(outcomes.count == 7)
      #expect(tally["mutants"]?.integer == outcomes.reduce(0, +))
    }
  }

  @Test func theSameSeedGivesTheSameReport() throws {
    func tallies(seed: String) throws -> JSONValue? {
      let run = try fuzz("--mutants", "300", "--json", "--seed", seed)
      return try JSONParser.parse(Array(run.output.utf8)).object?["models"]
    }
    #expect(try tallies(seed: "5") == tallies(seed: "5"))
  }

  @Test func replayWritesTheMutant() throws {
    let directory = try TemporaryDirectory()
    let file = directory.path + "/mutant.tflite"
    let original = try FileSystem.read(models[0])
    let number = try #require(
      (0..<100).first { Mutator(original: original, seed: 9).mutant($0).length == nil })
    let run = try ProgramRun(
      ofProcess: ["fuzz", models[0], "--seed", "9", "--replay", "\(number)", "-o", file])
    #expect(run.code == 0)
    #expect(run.output.hasPrefix("mutant \(number) of \(models[0]): "))
    let mutant = try FileSystem.read(file)
    #expect(mutant.count == original.count)
    #expect(mutant != original)
  }

  @Test func graphsAreChangedToo() throws {
    let run = try fuzz("--mutants", "200", "--json", "--kind", "graph")
    #expect(run.code == 0)
    let report = try #require(try JSONParser.parse(Array(run.output.utf8)).object)
    let tallies = try #require(report["models"]?.array).compactMap(\.object)
    for outcome in ["refused_at_load", "refused_at_plan", "ran"] {
      #expect(tallies.contains { ($0[outcome]?.integer ?? 0) > 0 }, "\(outcome)")
    }
  }

  /// Mutants with extreme numbers: a sample for models of several operators.
  @Test func numbersAreSetToExtremes() throws {
    let directory = try TemporaryDirectory()
    let corpus = try ConformanceCorpus()
    let names = ["LEAKY_RELU", "CONV_2D", "FULLY_CONNECTED", "SOFTMAX", "QUANTIZE", "LSTM"]
    let models = try names.flatMap { name in
      try corpus.names(of: "tflite", in: name).filter { !$0.contains("/err_") }.prefix(1)
        .map { try corpus.unpack($0, into: directory) }
    }
    #expect(models.count == names.count)
    let run = try ProgramRun(
      ofProcess: ["fuzz"] + models + ["--kind", "numbers", "--mutants", "240", "--json"])
    #expect(run.code == 0, "\(run.output)")
    let report = try #require(try JSONParser.parse(Array(run.output.utf8)).object)
    #expect(report["mutants"] == 240)
    #expect(report["failed"] == 0)
  }

  @Test func replayNeedsOneModel() throws {
    #expect(try fuzz("--replay", "1").code == 2)
    #expect(try fuzz("--output", "x").errors.contains("--output needs --replay"))
  }

  @Test func failuresAreGroupedAndReproducible() {
    let report = FuzzReport(
      tallies: [.init(model: "a.tflite", outcomes: [.ran: 7], crashed: 2)],
      failures: [
        .init(model: "a.tflite", mutant: 3, reason: "signal 4", change: "count at byte 8"),
        .init(model: "a.tflite", mutant: 5, reason: "signal 4", change: "count at byte 9"),
      ], kind: .graph, seed: 2, seconds: 1)
    #expect(report.text.contains("FAILED a.tflite: signal 4 (2)\n  mutant 3: count at byte 8\n"))
    #expect(report.text.contains("ocellus fuzz a.tflite --kind graph --seed 2 --replay 3\n"))
  }
}
