import Foundation
import OcellusImaging
import OcellusTestSupport
import OcellusVision
import Testing

@Suite struct EmbeddedModelTests {
  private let directory: TemporaryDirectory
  private let first: String
  private let second: String

  init() throws {
    directory = try TemporaryDirectory()
    first = directory.path + "/first"
    second = directory.path + "/second"
    for folder in [first, second + "/export"] {
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true)
    }
    for file in ["first/both.tflite", "second/both.tflite", "second/export/manifest.json"] {
      try Data().write(to: URL(filePath: directory.path).appending(path: file))
    }
  }

  @Test func theFirstFolderThatHasTheModelWins() throws {
    #expect(
      try EmbeddedModel.path(of: "both", in: [first, second]) == first + "/both.tflite")
    #expect(
      try EmbeddedModel.path(of: "both", in: [second, first]) == second + "/both.tflite")
  }

  @Test func exportsAreFolders() throws {
    #expect(try EmbeddedModel.path(of: "export", in: [first, second]) == second + "/export")
  }

  @Test func theErrorNamesThePlaces() {
    let error = #expect(throws: VisionError.self) {
      try EmbeddedModel.path(of: "none", in: [first, second])
    }
    guard case .unreadable(let message)? = error else {
      Issue.record("another error: \(String(describing: error))")
      return
    }
    for part in ["'none'", first, second, "OCELLUS_MODELS"] { #expect(message.contains(part)) }
  }

  @Test func thePackagesOwnFolderIsLookedAt() {
    let error = #expect(throws: VisionError.self) { try EmbeddedModel.path(of: "no such model") }
    #expect(error?.description.contains("/share/ocellus/models, ") == true)
    #expect(error?.description.contains("/Models;") == true)
  }

  /// The models inside the programs give the results of the files in the package's folder.
  @Test func theModelsInsideAreThoseOfTheFolder() throws {
    let models = try EmbeddedModel.detector.path.dropLast("scenes-detector.tflite".count)
    let picture = try Image(contentsOf: models + "samples/tower.png")
    let detector = try ObjectDetector()
    #expect(
      try detector.detect(in: picture)
        == ObjectDetector(path: EmbeddedModel.detector.path).detect(in: picture))
    let labeler = try ImageLabeler()
    #expect(
      try labeler.labels(in: picture)
        == ImageLabeler(path: EmbeddedModel.labeler.path).labels(in: picture))
    // Nobody named the models, and they know no photographs.
    for explanation in [detector.explanation, labeler.explanation] {
      #expect(explanation.entries.first?.property == "model")
      #expect(explanation.warnings.filter { $0.contains("knows drawn scenes only") }.count == 1)
    }
    #expect(try detector.duplicate().explanation == detector.explanation)
    #expect(try ObjectDetector(path: EmbeddedModel.detector.path).explanation.warnings.isEmpty)
    #expect(labeler.labels.names.count == 186)
    #expect((1...4).contains(detector.options.threads))
    #expect(detector.options.threads == labeler.options.threads)
  }
}
