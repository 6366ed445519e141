import Foundation
import OcellusAudit
import OcellusJSON
import OcellusKernelABI
import OcellusKernelDispatch
import OcellusModelFile
import OcellusPlatform
import OcellusTestSupport
import Testing

@testable import OcellusCommands

/// `receipt check` with what people have: another processor, no picture, no options, another file.
@Suite struct ReceiptCheckTests {
  private let folder: TemporaryDirectory
  private let receipt: String
  private static let hasFusedKernels = KernelTable.best.name != "baseline"

  init() throws {
    folder = try TemporaryDirectory()
    receipt = folder.path + "/receipt.json"
  }

  private func make(_ model: String, _ options: String..., file: String? = nil) {
    let run = ProgramRun(
      ["receipt", model, "--input", CommandSamples.picture, "-o", file ?? receipt] + options)
    #expect(run.code == 0, "\(run.errors)")
  }

  private func check(_ model: String, _ options: String...) -> ProgramRun {
    ProgramRun(["receipt", "check", receipt, model] + options)
  }

  private func onBaseline(_ arguments: [String]) throws -> ProgramRun {
    var environment = ProcessInfo.processInfo.environment
    environment["OCELLUS_ISA"] = "baseline"
    return try ProgramRun(ofProcess: arguments, environment: environment)
  }

  private func json(_ run: ProgramRun) throws -> JSONObject {
    try #require(try JSONParser.parse(Array(run.output.utf8)).object, "\(run.errors)")
  }

  private var shown: [String] { ["--input", CommandSamples.picture] }

  // MARK: Other processors

  /// An honest receipt of fast floats is neither right nor wrong for kernels that round differently.
  @Test(.enabled(if: hasFusedKernels, "these kernels are the baseline"))
  func otherInstructionSetsAreToldApart() throws {
    make(CommandSamples.floatDetector)
    let words = ["receipt", "check", receipt, CommandSamples.floatDetector] + shown
    let run = try onBaseline(words)
    #expect(run.code == ExitCode.undecided.rawValue, "\(run.errors)")
    #expect(run.errors.contains("undecided: ") && run.errors.contains("'baseline'"))
    #expect(!run.errors.contains("does not hold"))
    let report = try json(try onBaseline(words + ["--json"]))
    #expect(report["outcome"] == "undecided" && report["holds"] == false)
    #expect(report["node"] == .null)
    #expect(try #require(report["rounded_nodes"]?.integer) > 0)
    // The model and the picture are checked nevertheless.
    let other = ["receipt", "check", receipt, CommandSamples.detector] + shown
    #expect(try onBaseline(other).code == ExitCode.failure.rawValue)
    let picture = CommandSamples.picture.replacing("balloon", with: "cherries")
    let different = try onBaseline(words.dropLast() + [picture])
    #expect(different.code == ExitCode.failure.rawValue)
    #expect(different.errors.contains("another picture"))
  }

  /// What promises the same root everywhere holds, and so does what this processor can repeat.
  @Test(.enabled(if: hasFusedKernels, "these kernels are the baseline"))
  func whatCanBeRepeatedHolds() throws {
    let baseline = folder.path + "/baseline.json"
    let float = CommandSamples.floatDetector
    let labeler = CommandSamples.labeler
    #expect(try onBaseline(["receipt", float, "-o", baseline] + shown).code == 0)
    let run = ProgramRun(["receipt", "check", baseline, float] + shown)
    #expect(run.code == 0, "\(run.errors)")
    make(float, "--exact")
    #expect(try onBaseline(["receipt", "check", receipt, float] + shown).code == 0)
    make(labeler)
    #expect(try onBaseline(["receipt", "check", receipt, labeler] + shown).code == 0)
  }

  /// A record of floats is undecided where its receipts are.
  @Test(.enabled(if: hasFusedKernels, "these kernels are the baseline"))
  func recordsAreToldApart() throws {
    let record = folder.path + "/record"
    let run = ProgramRun(
      "detect", CommandSamples.picture, "-m", CommandSamples.floatDetector, "--record", record)
    #expect(run.code == 0, "\(run.errors)")
    let check = try onBaseline(["receipt", "check", record, "--json"])
    #expect(check.code == ExitCode.undecided.rawValue)
    let report = try json(check)
    #expect(report["outcome"] == "undecided" && report["differences"] == [])
    #expect(report["doubts"]?.array?.isEmpty == false)
  }

  // MARK: Inputs

  @Test func missingPicturesAreNotOtherPictures() throws {
    make(CommandSamples.labeler)
    let run = check(CommandSamples.labeler)
    #expect(run.code == ExitCode.undecided.rawValue)
    #expect(run.errors.contains("no input was given") && run.errors.contains("--input FILE"))
    #expect(!run.errors.contains("another picture"))
    let report = try json(check(CommandSamples.labeler, "--json"))
    #expect(report["outcome"] == "undecided" && report["rounded_nodes"] == 0)
    let other = check(CommandSamples.detector)
    #expect(other.code == ExitCode.failure.rawValue)
    #expect(other.errors.contains("the model's SHA-256 is"))
  }

  /// Inputs that were generated, or kept, need not be given.
  @Test func inputsThatAreThereAreUsed() throws {
    #expect(ProgramRun("receipt", CommandSamples.labeler, "-o", receipt).code == 0)
    #expect(check(CommandSamples.labeler).code == 0)
    let kept = folder.path + "/kept"
    make(CommandSamples.labeler, "--keep", kept)
    let run = check(CommandSamples.labeler, "--keep", kept)
    #expect(run.code == 0, "\(run.errors)")
    let input = try #require(
      FileSystem.entries(of: kept).first { $0.hasPrefix("0-") && $0.hasSuffix(".npy") })
    var bytes = try FileSystem.read("\(kept)/\(input)")
    bytes[bytes.count - 1] ^= 1
    try FileSystem.write(bytes, to: "\(kept)/\(input)")
    let changed = check(CommandSamples.labeler, "--keep", kept)
    #expect(changed.code == ExitCode.failure.rawValue)
    #expect(changed.errors.contains("with the SHA-256"))
  }

  // MARK: Preparation

  @Test(arguments: [
    ["--fit", "letterbox"], ["--fit", "letterbox-corner"], ["--fit", "crop"],
    ["--resampler", "pil-bicubic"], ["--colors", "bgr"], ["--values", "imagenet"],
    ["--values", "0..255"], ["--values", "1.5,2,3/0.1"], ["--ignore-exif"],
    ["--fit", "letterbox", "--resampler", "cv-area", "--values", "0..1", "--colors", "bgr"],
  ])
  func preparationIsReplayed(options: [String]) throws {
    let model = CommandSamples.floatDetector
    let made = ProgramRun(["receipt", model, "-o", receipt] + shown + options)
    #expect(made.code == 0, "\(made.errors)")
    let run = ProgramRun(["receipt", "check", receipt, model] + shown)
    #expect(run.code == 0, "\(run.errors)")
    // The same options, typed again, are no contradiction.
    #expect(ProgramRun(["receipt", "check", receipt, model] + shown + options).code == 0)
  }

  /// The size is replayed for models that take any.
  @Test func sizesAreReplayed() throws {
    let model = folder.path + "/any.tflite"
    let writer = ModelWriter.singleOperator(
      OperatorCodeRecord(named: "RELU"), reading: [.init("picture", .float32, [1, 1, 1, 3])],
      writing: [.init("map", .float32, [1, 1, 1, 3])])
    try FileSystem.write(writer.bytes(), to: model)
    let options = ["--values", "0..1", "--input-size", "24x16"]
    let made = ProgramRun(["receipt", model, "-o", receipt] + shown + options)
    #expect(made.code == 0, "\(made.errors)")
    let run = ProgramRun(["receipt", "check", receipt, model] + shown)
    #expect(run.code == 0, "\(run.errors)")
  }

  @Test func numericsAreReplayed() throws {
    let model = CommandSamples.floatDetector
    make(model, "--numerics", "bfloat16")
    let rounded = try Receipt(JSONParser.parse(FileSystem.read(receipt)))
    #expect(rounded.setting.numerics == "bfloat16")
    let run = ProgramRun(["receipt", "check", receipt, model] + shown)
    #expect(run.code == 0, "\(run.errors)")
    make(model)
    #expect(try Receipt(JSONParser.parse(FileSystem.read(receipt))).root != rounded.root)
  }

  @Test(arguments: [
    ["--fit", "stretch"], ["--resampler", "tf-nearest"], ["--colors", "bgr"], ["--values", "0..1"],
    ["--ignore-exif"], ["--exact"], ["--input-size", "99x99"], ["--reference"],
    ["--numerics", "bfloat16"],
  ])
  func contradictionsAreRefused(options: [String]) {
    make(CommandSamples.floatDetector, "--fit", "letterbox")
    let run = ProgramRun(
      ["receipt", "check", receipt, CommandSamples.floatDetector] + shown + options)
    #expect(run.code == ExitCode.wrongUsage.rawValue)
    #expect(run.errors.contains("\(options[0]) contradicts \(receipt)"), "\(run.errors)")
    #expect(run.errors.contains("leave the option out"))
  }

  /// A receipt from somebody else asks for nothing dangerous.
  @Test(arguments: ["65535x65535, nhwc", "0x9, nhwc", "9, nhwc", "-1x-1", "x", ""])
  func hostileSizesAreRefused(size: String) throws {
    make(CommandSamples.floatDetector)
    var forged = try Receipt(JSONParser.parse(FileSystem.read(receipt)))
    let index = try #require(forged.preparations.firstIndex { $0.property == "input size" })
    forged.preparations[index].value = size
    try FileSystem.write(Array(forged.json.text.utf8), to: receipt)
    let run = ProgramRun(["receipt", "check", receipt, CommandSamples.floatDetector] + shown)
    #expect(run.code == ExitCode.failure.rawValue, "\(run.errors)")
  }

  // MARK: Other files

  @Test(arguments: [
    (nil, "No such file"), ("", "is no receipt: not JSON"),
    ("no receipt", "is no receipt: not JSON"),
    ("{}", "has no \"schema\""), ("[1]", "has no \"schema\""), ("7", "has no \"schema\""),
    (#"{"schema": "ocellus-trace", "schema_version": 1}"#, "'ocellus-trace'"),
    (#"{"schema": "ocellus-receipt", "schema_version": 99}"#, "version of receipts"),
    (#"{"schema": "ocellus-receipt", "schema_version": 1}"#, "has no \"model\""),
    (String(repeating: "[", count: 100_000), "is no receipt: not JSON"),
    (#"{"schema": "ocellus-rec"#, "is no receipt: not JSON"),
  ])
  func otherFilesAreNamed(text: String?, problem: String) throws {
    if let text { try FileSystem.write(Array(text.utf8), to: receipt) }
    for operands in [[receipt], [receipt, CommandSamples.labeler]] {
      let run = ProgramRun(["receipt", "check"] + operands)
      #expect(run.code == ExitCode.failure.rawValue)
      #expect(run.errors.contains(receipt) && run.errors.contains(problem), "\(run.errors)")
    }
  }

  /// A file name without folders is no name of a model.
  @Test func namesOfReceiptsAreNoNamesOfModels() {
    for operands in [["nothing.json"], ["nothing.json", CommandSamples.labeler]] {
      let run = ProgramRun(["receipt", "check"] + operands)
      #expect(run.code == 1 && run.errors.contains("nothing.json: No such file"), "\(run.errors)")
    }
    make(CommandSamples.labeler)
    let run = ProgramRun("receipt", "check", receipt, "nosuch")
    #expect(run.errors.contains("'nosuch' is neither a file nor a model"))
    #expect(ProgramRun("receipt", "check", receipt).errors.contains("receipt check RECEIPT MODEL"))
    let swapped = ProgramRun("receipt", "check", CommandSamples.labeler, receipt)
    #expect(swapped.errors.contains("the receipt comes first"))
  }
}
