import Foundation
import OcellusArrays
import OcellusImaging
import OcellusJSON
import OcellusPlatform
import OcellusTestSupport
import Testing

@testable import OcellusCommands

@Suite(.enabled(if: SharedFiles.arePresent, "\(SharedFiles.missing)"))
struct DetectCommandTests {
  private let model = Self.path("models/coco_ssd_mobilenet_v1_1.0_quant_2018_06_29.tflite")
  private let photo = Self.path("images/photos/cats_and_dogs.jpg")

  private static func path(_ name: String) -> String { SharedFiles.folder.path + "/zoo/" + name }

  private func detect(_ arguments: String...) -> ProgramRun {
    ProgramRun(["detect", "-m", model] + arguments)
  }

  /// Detections equal the golden numbers of Task Library's tests, to three pixels.
  @Test func jsonHasWhatTaskLibraryFinds() throws {
    let run = detect(photo, "--json", "--threshold", "0.49", "--resampler", "tf-bilinear")
    #expect(run.code == 0)
    let report = try JSONParser.parse(Array(run.output.utf8)).object
    let image = try #require(report?["images"]?.array?.first?.object)
    #expect(image["width"] == 1200)
    let objects = try #require(image["detections"]?.array).compactMap(\.object)
    let labels = objects.map { $0["categories"]?.array?.first?.object?["label"]?.string }
    #expect(labels == ["cat", "cat", "cat", "dog"])
    let box = try #require(objects[0]["box"]?.object)
    for (edge, expected) in [("left", 54), ("top", 396), ("right", 447), ("bottom", 594)] {
      #expect(abs(try #require(box[edge]?.number) - Double(expected)) <= 3)
    }
  }

  @Test func onePictureThatCannotBeReadDoesNotStopTheOthers() throws {
    let run = detect(Self.path("README.md"), photo, "--jsonl")
    #expect(run.code == ExitCode.partial.rawValue)
    #expect(run.errors.contains("README.md"))
    let lines = run.output.split(separator: "\n")
    #expect(lines.map { $0.contains("\"error\"") } == [true, false])
  }

  /// A model where a picture belongs would be skipped, and another model asked about the rest.
  @Test func aModelIsNoPicture() {
    let run = ProgramRun("detect", model, photo)
    #expect(run.code == ExitCode.wrongUsage.rawValue)
    #expect(run.output.isEmpty)
    #expect(run.errors.contains("write '-m \(model)'"))
  }

  @Test func csvHasAHeaderAndExactNumbers() throws {
    let run = detect(photo, "--csv", "--max", "2")
    let lines = run.output.split(separator: "\n")
    #expect(lines.first == "image,label,score,left,top,right,bottom,class,error")
    #expect(lines.count == 3)
  }

  @Test func annotatesAndDumpsTheInput() throws {
    let directory = try TemporaryDirectory()
    let picture = directory.path + "/boxes.png"
    let dump = directory.path + "/input.npy"
    #expect(detect(photo, "--annotate", picture, "--dump-input", dump).code == 0)
    #expect(try Image(contentsOf: picture).size == PixelSize(width: 1200, height: 600))
    let array = try NPYArray(file: try FileSystem.read(dump))
    #expect(array.shape == [1, 300, 300, 3])
  }

  @Test func outputsCanBeTold() throws {
    let expected = detect(photo, "--csv")
    #expect(detect(photo, "--csv", "--outputs", "0,1,2,3").output == expected.output)
    let outside = detect(photo, "--outputs", "0,1,7")
    #expect(outside.code == 1)
    #expect(outside.errors.contains("4 outputs"))
  }

  @Test func explainsOnTheErrorStream() {
    let run = detect(photo, "--explain", "--threshold", "0.6")
    #expect(run.errors.contains("the operator that computes them"))
    #expect(run.output.contains("cat"))
  }

  @Test(arguments: [
    ["detect"], ["detect", "x.png", "-m", "m", "--threshold", "2"],
    ["detect", "x.png", "-m", "m", "--roi", "1,2,3"],
    ["detect", "x.png", "-m", "m", "--tile", "0x1"],
    ["detect", "x.png", "-m", "m", "--tile", "0"],
    ["detect", "x.png", "-m", "m", "--tile", "100x100"],
    ["detect", "x.png", "-m", "m", "--overlap", "0.2"],
    ["detect", "x.png", "-m", "m", "--tile", "640", "--overlap", "1"],
    ["detect", "x.png", "-m", "m", "--json", "--csv"],
    ["detect", "x.png", "-m", "m", "--fit", "cut"],
    ["detect", "-m", "m"], ["detect", "x.png", "-m", "m", "--outputs", "1,1,2"],
    ["label", "x.png", "-m", "m", "--values", "1/0"],
  ])
  func wrongUsageIsTold(arguments: [String]) {
    let run = ProgramRun(arguments)
    #expect(run.code == 2)
    #expect(!run.errors.isEmpty)
  }

  @Test func labelsAFlower() throws {
    let run = ProgramRun([
      "label", photo, "-m", Self.path("models/mlkit_automl"), "--json", "--max", "1",
    ])
    #expect(run.code == 0)
    let report = try JSONParser.parse(Array(run.output.utf8)).object
    let image = try #require(report?["images"]?.array?.first?.object)
    #expect(image["labels"]?.array?.count == 1)
  }

  /// Quantized outputs are exact, so that the verdict is about ties and limits only.
  @Test func exactOutputsCannotFlip() throws {
    let run = detect(photo, "--bounds", "--json", "--threshold", "0.45")
    #expect(run.code == 0)
    let report = try JSONParser.parse(Array(run.output.utf8)).object
    let image = try #require(report?["images"]?.array?.first?.object)
    let bounds = try #require(image["bounds"]?.object)
    #expect(bounds["decided"] == true && bounds["unit"] == "steps" && bounds["may_appear"] == 0)
    let objects = try #require(bounds["objects"]?.array).compactMap(\.object)
    #expect(objects.count == image["detections"]?.array?.count)
    #expect(objects.allSatisfy { $0["verdict"] == "cannot_flip" })
    #expect(objects.map { $0["holds_within"]?.number ?? -1 }.first == 5)
  }

  @Test func floatsAreUndecidedButHoldWithinALimit() throws {
    let run = ProgramRun(
      "detect", CommandSamples.picture, "-m", CommandSamples.floatDetector, "--bounds",
      "--threshold", "0.05")
    #expect(run.code == 0)
    #expect(run.output.contains("undecided: through the network, the bounds of"))
    #expect(run.output.contains("holds within"))
  }

  @Test func arithmeticIsThatOfBounds() {
    let run = detect(photo, "--factors", "bfloat16")
    #expect(run.code == ExitCode.wrongUsage.rawValue && run.errors.contains("--bounds"))
  }
}
