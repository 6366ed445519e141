import Foundation
import OcellusImaging
import OcellusModelFile
import OcellusTestSupport
import OcellusVision
import Testing

@Suite struct ImageLabelerTests {
  private let picture = Image(uninitialized: .rgb8, size: PixelSize(width: 9, height: 7))

  @Test func bestFirstWithNames() throws {
    let found = try SyntheticLabeler.labeler().labels(in: picture)
    #expect(found.map(\.label) == ["tulip", "daisy", "rose"])
    #expect(found.map(\.index) == [1, 2, 0])
    #expect(found.map(\.score) == [0.625, 0.25, 0.125])
  }

  @Test func thresholdIncludesEqualScores() throws {
    let labeler = try SyntheticLabeler.labeler(.init(scoreThreshold: 0.25))
    #expect(try labeler.labels(in: picture).count == 2)
  }

  @Test func limitsAndLists() throws {
    func names(_ options: ImageLabeler.Options) throws -> [String?] {
      try SyntheticLabeler.labeler(options).labels(in: picture).map(\.label)
    }
    #expect(try names(.init(maximumResults: 1)) == ["tulip"])
    #expect(try names(.init(allowedLabels: ["rose", "daisy"])) == ["daisy", "rose"])
    #expect(try names(.init(deniedLabels: ["tulip"])) == ["daisy", "rose"])
  }

  @Test func softmaxWhereTheGraphHasNone() throws {
    let labeler = try SyntheticLabeler.labeler(.init(activation: .softmax))
    let scores = try labeler.labels(in: picture).map(\.score)
    // e^0.625 / (e^0.125 + e^0.625 + e^0.25)
    #expect(abs(scores[0] - 0.436) < 1e-3)
    #expect(abs(scores.reduce(0, +) - 1) < 1e-6)
  }

  /// A single sigmoid is the score of the second class in alphabetical order, as Keras trains it.
  @Test func oneNumberTellsTwoClassesApart() throws {
    let network = SyntheticNetwork(
      input: [1, 32, 32, 3], type: .uint8, [("share", .sigmoid([1, 1], [2.1972246]))])
    let labeler = try ImageLabeler(network.model(), options: .init(labels: Labels(["cat", "dog"])))
    let picture = Image(uninitialized: .rgb8, size: PixelSize(width: 32, height: 32))
    let found = try labeler.labels(in: picture)
    #expect(found.map(\.label) == ["dog", "cat"])
    #expect(found.map(\.index) == [1, 0])
    #expect(zip(found, [0.9, 0.1]).allSatisfy { abs($0.score - $1) < 1e-6 })
    #expect(labeler.explanation.warnings.contains { $0.contains("Keras") })
    let alone = try ImageLabeler(network.model(), options: .init(labels: Labels(["dog"])))
    #expect(try alone.labels(in: picture).map(\.index) == [0])
  }

  @Test func packagesAsAutoMLExportsThem() throws {
    let directory = try TemporaryDirectory()
    let folder = URL(filePath: directory.path)
    func write(_ name: String, _ text: String) throws {
      try text.write(to: folder.appending(path: name), atomically: true, encoding: .utf8)
    }
    // The manifest of the iOS quickstart has one comma too many.
    try write(
      "manifest.json",
      #"{"modelType": "IMAGE_LABELING", "modelFile": "flowers.bin", "labelsFile": "dict.txt",}"#)
    try write("dict.txt", "rose\ntulip\ndaisy\n")
    try Data(SyntheticLabeler.writer.bytes()).write(to: folder.appending(path: "flowers.bin"))
    let options = ImageLabeler.Options(activation: ScoreActivation.none)
    for path in [folder.path, folder.appending(path: "manifest.json").path] {
      let labeler = try ImageLabeler(path: path, options: options)
      #expect(try labeler.labels(in: picture).first?.label == "tulip")
    }
    try write("manifest.json", #"{"modelFile": "../elsewhere.tflite"}"#)
    #expect(throws: VisionError.self) { try ImageLabeler(path: folder.path) }
    withExtendedLifetime(directory) {}
  }
}
