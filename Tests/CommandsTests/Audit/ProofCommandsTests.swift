import OcellusJSON
import OcellusPlatform
import OcellusTestSupport
import Testing

@testable import OcellusCommands

/// `arbitrate`, `reduce` and `prove` as people call them.
@Suite struct ProofCommandsTests {
  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  private func json(_ run: ProgramRun) throws -> JSONObject {
    try #require(try JSONParser.parse(Array(run.output.utf8)).object, "\(run.errors)")
  }

  @Test func receiptsOfTwoSettingsAreBothRight() throws {
    let model = CommandSamples.floatDetector
    let (fast, exact) = (folder.path + "/fast.json", folder.path + "/exact.json")
    #expect(ProgramRun("receipt", model, "-o", fast).code == 0)
    #expect(ProgramRun("receipt", model, "--exact", "-o", exact).code == 0)
    let run = ProgramRun("arbitrate", fast, exact, model, "--json")
    #expect(run.code == 0, "\(run.errors)")
    #expect(["same", "both_are_right"].contains(try json(run)["outcome"]?.string))
    let other = ProgramRun("arbitrate", fast, exact, CommandSamples.labeler)
    #expect(other.code == ExitCode.undecided.rawValue)
    #expect(other.output.contains("different questions"))
    let noReceipt = ProgramRun("arbitrate", fast, model, model)
    #expect(noReceipt.code == 1 && noReceipt.errors.contains("is a model"))
  }

  @Test func failuresAreKept() throws {
    let small = folder.path + "/small.tflite"
    let words = ["reduce", CommandSamples.labeler, "-o", small, "--json", "--keep-failing"]
    // The name of a tensor in the middle of the model.
    let run = try ProgramRun(ofProcess: words + ["grep -aq Relu {} && exit 9; true #"])
    #expect(run.code == 0, "\(run.errors)")
    let report = try json(run)
    #expect(report["exit_code"] == 9 && report["nodes_after"] == 1)
    #expect(ProgramRun("inspect", small).code == 0)
    #expect(!FileSystem.exists(small + ".candidate.tflite"))
    let harmless = try ProgramRun(ofProcess: words + ["true"])
    #expect(harmless.code == 1 && harmless.errors.contains("does not fail"))
    let missing = try ProgramRun(ofProcess: words + ["no-such-command-here"])
    #expect(missing.code == 1 && missing.errors.contains("no such command"))
    #expect(ProgramRun("reduce", CommandSamples.labeler).code == 2)
  }

  @Test func boundsHoldAndJudgeOthers() throws {
    let model = CommandSamples.floatDetector
    let bounds = ProgramRun("bound", model, "--json")
    #expect(bounds.code == 0, "\(bounds.errors)")
    let report = try json(bounds)
    #expect(report["schema"] == "ocellus-bounds" && report["outside"] == 0)
    let rounding = ["bound", model, "--numerics", "bfloat16"]
    #expect(ProgramRun(rounding).code == 0)
    #expect(ProgramRun(rounding + ["--factors", "float32"]).code == 1)
    let tensors = folder.path + "/tensors.npz"
    #expect(ProgramRun("trace", model, "--exact", "-o", tensors).code == 0)
    let inputs = folder.path + "/inputs"
    #expect(ProgramRun("receipt", model, "--keep", inputs).code == 0)
    let check = ProgramRun("diff", model, inputs, "--within-bounds", "--json")
    // The operator that selects boxes has no bounds.
    #expect(check.code == ExitCode.undecided.rawValue, "\(check.errors)")
    #expect(try json(check)["outcome"] == "undecided" && json(check)["first_outside"] == .null)
    for arguments in [
      ["diff", model, model, "--within-bounds"], ["diff", model, inputs, "--factors", "float16"],
      ["diff", model, inputs, "--within-bounds", "--min-sqnr", "3"],
      ["hunt", "-o", "x"], ["hunt", "--against", "reference"],
    ] {
      #expect(ProgramRun(arguments).code == 2, "\(arguments)")
    }
  }

  @Test func wrongEnginesAreFound() throws {
    let hunted = folder.path + "/hunted"
    let calm = ProgramRun("hunt", "--against", "reference", "-o", hunted, "--graphs", "6", "--json")
    #expect(calm.code == 0, "\(calm.output)")
    #expect(try (json(calm)["judged_nodes"]?.integer ?? 0) > 20)
    // A peer that refuses everything, and one that is killed by a signal.
    let refusing = try ProgramRun(
      ofProcess: ["hunt", "--against", "false", "-o", hunted, "--graphs", "2", "--json"])
    #expect(try refusing.code == 0 && json(refusing)["refused"] == 2)
    let crashing = try ProgramRun(
      ofProcess: [
        "hunt", "--against", "kill -SEGV $$ #", "-o", hunted, "--graphs", "3", "--json",
      ])
    #expect(crashing.code == 1)
    let find = try #require(try json(crashing)["finds"]?.array?.first?.object)
    #expect(find["kind"] == "crashed" && find["count"] == 3)
    #expect(find["operators"]?.array?.count == 1)
    #expect(try FileSystem.entries(of: hunted).sorted() == ["found-1.tflite", "hunt.json"])
  }

  @Test func certificatesAreWritten() throws {
    let run = ProgramRun("prove", CommandSamples.labeler, "--node", "0", "--json")
    let report = try json(run)
    #expect(report["schema"] == "ocellus-certificate" && report["refuted"] == 0)
    #expect(report["nodes"]?.array?.count == 1)
    #expect(ProgramRun("prove", CommandSamples.labeler, "--node", "9999").code == 1)
    let isa = ProgramRun("prove", CommandSamples.labeler, "--isa", "nothing")
    #expect(isa.code == 1 && isa.errors.contains("no kernels 'nothing'"))
    let both = ProgramRun("prove", CommandSamples.labeler, "--node", "0", "-o", "x.json")
    #expect(both.code == 2)
  }
}
