import Foundation
import OcellusAudit
import OcellusEngine
import OcellusImaging
import OcellusJSON
import OcellusModelFile
import OcellusPlatform
import OcellusTestSupport
import Testing

@testable import OcellusCommands

/// The commands `trace`, `diff`, `receipt` and `audit`, run as programs.
@Suite struct AuditCommandsTests {
  private let folder: TemporaryDirectory
  private static let models = PackageFiles.folder.appending(path: "Models")
  private let detector = models.appending(path: "scenes-detector.tflite").path
  private let float = models.appending(path: "scenes-detector-float.tflite").path
  private let labeler = models.appending(path: "scenes-labeler.tflite").path

  init() throws { folder = try TemporaryDirectory() }

  private func json(_ run: ProgramRun) throws -> JSONObject {
    try #require(try JSONParser.parse(Array(run.output.utf8)).object, "\(run.errors)")
  }

  private func picture() throws -> String {
    let samples = Self.models.appending(path: "samples")
    let names = try FileManager.default.contentsOfDirectory(atPath: samples.path).sorted()
    let name = try #require(names.first { $0.hasSuffix(".jpg") || $0.hasSuffix(".png") })
    return samples.appending(path: name).path
  }

  @Test func tracesAreWrittenAndCompared() throws {
    let whole = folder.path + "/whole.npz"
    let part = folder.path + "/part"
    #expect(ProgramRun("trace", detector, "--input", try picture(), "-o", whole).code == 0)
    #expect(
      ProgramRun("trace", detector, "--input", try picture(), "--select", "3..9", "-o", part).code
        == 0)
    let same = try json(ProgramRun("diff", whole, part, "--json"))
    #expect(same["equal_nodes"] == 7 && same["first_divergent"] == .null)
    let live = ProgramRun("diff", detector, whole, "--json")
    #expect(live.code == 0)
    let other = folder.path + "/other"
    #expect(ProgramRun("trace", detector, "-o", other).code == 0)
    #expect(ProgramRun("diff", whole, other).code == 1)
  }

  /// Models that are neither detectors nor labelers accept pictures, too.
  @Test func picturesAreShownToModelsOfAnyKind() throws {
    let model = folder.path + "/relu.tflite"
    let writer = ModelWriter.singleOperator(
      OperatorCodeRecord(named: "RELU"), reading: [.init("picture", .float32, [1, 8, 8, 3])],
      writing: [.init("map", .float32, [1, 8, 8, 3])])
    try FileSystem.write(writer.bytes(), to: model)
    let shown = [model, "--input", try picture(), "--values", "0..1"]
    let trace = ProgramRun(["trace"] + shown)
    #expect(trace.code == 0, "\(trace.errors)")
    let receipt = folder.path + "/relu.json"
    #expect(ProgramRun(["receipt"] + shown + ["-o", receipt]).code == 0)
    #expect(ProgramRun(["receipt", "check", receipt] + shown).code == 0)
  }

  /// Each line of a loop's trace names the iteration of the body.
  @Test func tracesCountTheRoundsOfLoops() throws {
    let model = try ConformanceCorpus().unpack("WHILE/float32_5_times.tflite", into: folder)
    let lines = ProgramRun("trace", model).output.split(separator: "\n")
    let rounds = lines.filter { $0.contains(" run ") }
    #expect(
      rounds.contains { $0.contains(":0 run 1 ") } && rounds.contains { $0.contains(" run 5 ") })
  }

  /// The multiply-adds and bytes that `inspect` predicts equal those of a run.
  @Test func figuresOfInspectAreThoseOfARun() throws {
    for model in [detector, float, labeler] {
      let ahead = try json(ProgramRun("inspect", model, "--json"))
      let run = try json(ProgramRun("trace", model, "--as-run", "--level", "shapes", "--json"))
      #expect(ahead["multiply_adds"] == run["multiply_adds"])
      let memory = try #require(ahead["memory"]?.object)
      let parts = ["arena_bytes", "other_bytes"].compactMap { memory[$0]?.integer }
      #expect(run["memory_bytes"]?.integer == parts.reduce(0, +))
    }
  }

  @Test func receiptsHoldAndAreRefused() throws {
    let receipt = folder.path + "/receipt.json"
    let kept = folder.path + "/kept"
    let picture = try picture()
    #expect(
      ProgramRun(
        "receipt", detector, "--input", picture, "-o", receipt, "--keep", kept
      ).code == 0)
    #expect(ProgramRun("receipt", "check", receipt, detector, "--input", picture).code == 0)
    #expect(
      ProgramRun("receipt", "check", receipt, detector, "--input", picture, "--threads", "2").code
        == 0)
    #expect(
      ProgramRun("receipt", "check", receipt, detector, "--keep", kept, "--sample", "4").code == 0)
    let elsewhere = ProgramRun(
      "receipt", "check", receipt, detector, "--input", picture, "--resampler", "pil-bicubic")
    #expect(elsewhere.code == 2)
    #expect(elsewhere.errors.contains("picture's resampler is 'pil-bilinear'"))
    let other = ProgramRun("receipt", "check", receipt, labeler, "--input", picture)
    #expect(other.code == 1)
    #expect(other.errors.contains("the model's SHA-256 is"))
    try FileSystem.write(Array("{}".utf8), to: receipt)
    #expect(ProgramRun("receipt", "check", receipt, detector).errors.contains("no \"schema\""))
  }

  @Test(arguments: ["trace", "receipt", "audit"])
  func modelsAreNotReplacedUnlessForced(command: String) throws {
    let model = folder.path + "/model.npz"
    try FileSystem.write(FileSystem.read(labeler), to: model)
    let refused = ProgramRun(command, model, "--output", model)
    #expect(refused.code == 2)
    #expect(refused.errors.contains("--force"), "\(refused.errors)")
    #expect(try FileSystem.read(model) == FileSystem.read(labeler))
    let forced = ProgramRun(command, model, "--output", model, "--force")
    #expect(forced.code == 0, "\(forced.errors)")
    #expect(try FileSystem.read(model) != FileSystem.read(labeler))
  }

  @Test(arguments: ["detect", "label"])
  func recordsAreRepeated(command: String) throws {
    let record = folder.path + "/record"
    let model = command == "detect" ? detector : labeler
    // The record covers neither the output format nor `--force`.
    let run = ProgramRun(
      command, try picture(), "-m", model, "--record", record, "--csv-spreadsheet", "--force")
    #expect(run.code == 0, "\(run.errors)")
    let again = ProgramRun("receipt", "check", record)
    #expect(again.code == 0, "\(again.errors)")
    // A changed answer in the record is found.
    let path = record + "/record.json"
    let text = String(decoding: try FileSystem.read(path), as: UTF8.self)
    let changed = text.replacing("\"score\": 0.", with: "\"score\": 1.", maxReplacements: 1)
    #expect(changed != text)
    try FileSystem.write(Array(changed.utf8), to: path)
    #expect(ProgramRun("receipt", "check", record).errors.contains("now gives another result"))
    let target = folder.path + "/stolen.png"
    let hostile = text.replacing("[\"--model=", with: "[\"--annotate=\(target)\", \"--model=")
    try FileSystem.write(Array(hostile.utf8), to: path)
    #expect(ProgramRun("receipt", "check", record).errors.contains("is no argument of a record"))
    #expect(!FileSystem.exists(target))
  }

  /// Records of a video with a model, and of detections from a file, are repeated with equal
  /// results.
  @Test(arguments: [true, false])
  func recordsOfTracksAreRepeated(isVideo: Bool) throws {
    let record = folder.path + "/record"
    let detections = folder.path + "/det.txt"
    let lines = (1...30).map { "\($0),-1,\(10 + 3 * $0),20,40,80,0.9" }
    try FileSystem.write(Array(lines.joined(separator: "\n").utf8), to: detections)
    let source =
      isVideo ? [CommandSamples.clip, "-m", detector] : ["--from", detections, "--fps", "9"]
    let counted = ["--line", "50,0,50,200", "--mot", folder.path + "/tracks.txt"]
    let run = ProgramRun(["track"] + source + counted + ["--record", record])
    #expect(run.code == 0, "\(run.errors)")
    let again = ProgramRun("receipt", "check", record)
    #expect(again.code == 0, "\(again.errors)")
    let path = record + "/record.json"
    let text = String(decoding: try FileSystem.read(path), as: UTF8.self)
    let results = try #require(
      try JSONParser.parse(Array(text.utf8)).object?["results"]?.object)
    let written = try FileSystem.read(folder.path + "/tracks.txt").count { $0 == 10 }
    #expect(results["tracks"]?.array?.count == written && results["lines"]?.array?.count == 1)
    let changed = text.replacing("\"frames\": ", with: "\"frames\": 1", maxReplacements: 1)
    try FileSystem.write(Array(changed.utf8), to: path)
    #expect(ProgramRun("receipt", "check", record).errors.contains("now gives another result"))
    try FileSystem.write(Array(text.utf8), to: path)
    // A changed input file in the record is found.
    let copy = try #require(
      FileSystem.entries(of: record).first { $0.hasSuffix(isVideo ? ".y4m" : "det.txt") })
    let bytes = try FileSystem.read("\(record)/\(copy)")
    try FileSystem.write(bytes + [10], to: "\(record)/\(copy)")
    #expect(
      ProgramRun("receipt", "check", record).errors.contains("has changed since it was recorded"))
  }

  @Test func recordsOfTracksWantFiles() {
    for operand in ["-", folder.path, "frame-%04d.png"] {
      let run = ProgramRun("track", operand, "--record", folder.path + "/record")
      #expect(run.code == 2 && run.errors.contains("has to be one file"))
    }
  }

  /// Pages say which version made them and when; reproducible builds state the time.
  @Test func pagesSayWhoMadeThem() throws {
    let page = folder.path + "/report.html"
    for (time, words) in [
      ("1700000000", "on 14 November 2023, 22:13 UTC."),
      ("951782400", "on 29 February 2000, 00:00 UTC."), ("soon", " UTC"),
    ] {
      var environment = ProcessInfo.processInfo.environment
      environment["SOURCE_DATE_EPOCH"] = time
      let run = try ProgramRun(
        ofProcess: [
          "profile", CommandSamples.labeler, "--runs", "1", "--no-limits", "--html", page,
        ], environment: environment)
      #expect(run.code == 0, "\(run.errors)")
      let html = String(decoding: try FileSystem.read(page), as: UTF8.self)
      #expect(html.contains("Made by Ocellus \(Program.version) on "))
      #expect(html.contains(words))
    }
  }

  @Test func pagesAreWritten() throws {
    let page = folder.path + "/report.html"
    let run = ProgramRun("audit", detector, try picture(), "-o", page)
    #expect(run.code == 0, "\(run.errors)")
    #expect(run.output.contains("same bits as scenes-detector.tflite@reference"))
    let html = String(decoding: try FileSystem.read(page), as: UTF8.self)
    #expect(html.contains("data:image/jpeg;base64,") && html.utf8.count < 3 << 20)
    let twin = try json(
      ProgramRun("audit", detector, "--against", float, "--json"))
    #expect(twin["nodes"]?.array?.contains { $0.object?["sqnr_db"]?.number ?? 99 < 60 } == true)
  }

  @Test func ledgersAddUp() throws {
    let run = try json(
      ProgramRun("detect", try picture(), "-m", detector, "--ledger", "--json"))
    let image = try #require(run["images"]?.array?.first?.object)
    let ledger = try #require(image["ledger"]?.object)
    let counts = (ledger["counts"]?.array ?? []).compactMap { $0.object?["count"]?.integer }
    #expect(counts.reduce(0, +) == ledger["candidates"]?.integer)
    let kept = (ledger["entries"]?.array ?? []).filter { $0.object?["fate"] == "kept" }
    #expect(kept.count == image["detections"]?.array?.count)
  }

  @Test func wrongUsageIsNamed() {
    #expect(ProgramRun("diff", detector).code == 2)
    #expect(ProgramRun("diff", detector, "@exat").errors.contains("did you mean"))
    #expect(ProgramRun("diff", "@exact", detector).code == 2)
    #expect(ProgramRun("trace", detector, "--level", "full").code == 2)
    #expect(ProgramRun("trace", detector, "--select", "5..2").code == 2)
    #expect(ProgramRun("trace", detector, "--select", "NOTHING").code == 1)
    #expect(ProgramRun("receipt", "check", "a", "b", "c").code == 2)
    #expect(ProgramRun("receipt", detector, "--sample", "3").code == 2)
    #expect(ProgramRun("audit", detector).code == 2)
    #expect(ProgramRun("diff", folder.path, folder.path).errors.contains("there are no .npy files"))
    #expect(ProgramRun("receipt", "check", folder.path).errors.contains("--record wrote"))
  }
}
