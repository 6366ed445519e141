import Foundation
import OcellusEngine
import OcellusImaging
import OcellusModelFile
import OcellusTestSupport
import OcellusVision
import Testing

@Suite struct ObjectDetectorTests {
  private let picture = Image(uninitialized: .rgb8, size: PixelSize(width: 40, height: 20))

  private var expected: [Detection] {
    [
      Detection(
        box: BoundingBox(left: 0, top: 0, right: 20, bottom: 10),
        categories: [Category(index: 1, label: "dog", score: 0.75)], imageSize: picture.size),
      Detection(
        box: BoundingBox(left: 20, top: 10, right: 40, bottom: 20),
        categories: [Category(index: 0, label: "cat", score: 0.5)], imageSize: picture.size),
    ]
  }

  private func detector(
    _ options: ObjectDetector.Options = .init(), order: [Int] = [0, 1, 2, 3]
  ) throws -> ObjectDetector {
    var options = options
    if options.labels == nil { options.labels = Labels(["cat", "dog", "bird"]) }
    return try ObjectDetector(SyntheticDetector.model(order: order), options: options)
  }

  @Test(arguments: SyntheticDetector.orders)
  func everyOrderOfOutputs(order: [Int]) throws {
    #expect(try detector(order: order).detect(in: picture) == expected)
  }

  @Test func networksStayWithinTheirBudget() throws {
    let error = #expect(throws: VisionError.self) {
      try detector(.init(budget: RunBudget(multiplyAdds: 0)))
    }
    guard case .model(let reason)? = error else {
      Issue.record("not the model's: \(String(describing: error))")
      return
    }
    #expect(reason.kind == .overBudget)
  }

  @Test func withoutOperatorAndNamesClassesAndScoresAreAmbiguous() throws {
    let model = try Model(bytes: Self.anonymous(names: ["a", "b", "c", "d"]).bytes())
    let error = #expect(throws: VisionError.self) { try ObjectDetector(model) }
    guard case .ambiguous(let message)? = error else {
      Issue.record("not ambiguous: \(String(describing: error))")
      return
    }
    for name in ["'a'", "'b'", "'c'", "'d'"] { #expect(message.contains(name)) }
  }

  @Test func namesTellOutputsApart() throws {
    let names = ["num_detections", "detection_scores", "detection_boxes", "detection_classes"]
    let model = try Model(
      bytes: Self.anonymous(names: names, order: [3, 2, 0, 1]).bytes())
    #expect(try ObjectDetector(model).detect(in: picture).map(\.box) == expected.map(\.box))
  }

  /// Returns a network whose outputs are constants: nothing in the graph says what they mean.
  private static func anonymous(
    names: [String], order: [Int] = [0, 1, 2, 3]
  ) -> ModelWriter {
    let values: [(shape: [Int], values: [Float])] = [
      ([1, 2, 4], [0, 0, 0.5, 0.5, 0.5, 0.5, 1, 1]), ([1, 2], [1, 0]), ([1, 2], [0.75, 0.5]),
      ([1], [2]),
    ]
    let outputs = zip(names, order).map { name, index in
      ModelWriter.Tensor(
        name, .float32, values[index].shape, constant: .init(bytesOf: values[index].values))
    }
    return ModelWriter(subgraphs: [
      .init(
        tensors: [.init("picture", .uint8, [1, 8, 8, 3])] + outputs, inputs: [0],
        outputs: [1, 2, 3, 4], operators: [])
    ])
  }

  @Test func thresholdsListsAndLimits() throws {
    func labels(_ options: ObjectDetector.Options) throws -> [String?] {
      try detector(options).detect(in: picture).map { $0.categories[0].label }
    }
    #expect(try labels(.init(scoreThreshold: 0.5)) == ["dog", "cat"])
    #expect(try labels(.init(scoreThreshold: 0.51)) == ["dog"])
    #expect(try labels(.init(scoreThreshold: 0.9, categoryThresholds: ["cat": 0.1])) == ["cat"])
    #expect(try labels(.init(maximumResults: 1)) == ["dog"])
    #expect(try labels(.init(maximumResults: 0)) == [])
    #expect(try labels(.init(allowedLabels: ["cat"])) == ["cat"])
    #expect(try labels(.init(deniedLabels: ["cat"])) == ["dog"])
    #expect(try labels(.init(findsMultipleObjects: false)) == ["dog"])
  }

  /// A negative limit of results, in options or in an export's file, finds nothing and does not
  /// trap.
  @Test func impossibleLimitsAreNoTraps() throws {
    #expect(try detector(.init(maximumResults: -3)).detect(in: picture).isEmpty)
    let directory = try TemporaryDirectory()
    let folder = URL(filePath: directory.path)
    try Data(SyntheticDetector.writer().bytes()).write(to: folder.appending(path: "model.tflite"))
    try Data(#"{"maxDetections": -1}"#.utf8).write(
      to: folder.appending(path: "tflite_metadata.json"))
    let exported = try ObjectDetector(path: directory.path)
    #expect(try exported.detect(in: picture).count == 2)
  }

  @Test func namesThatNoClassHasAreAWarning() throws {
    let detector = try detector(.init(deniedLabels: ["horse"]))
    #expect(detector.explanation.warnings == ["no class is called 'horse'"])
  }

  @Test func labelsThatDoNotFitAreAWarningWithNumbers() throws {
    let detector = try detector(.init(labels: Labels(["cat", "dog"])))
    #expect(
      detector.explanation.warnings == ["the model has 3 classes, but there are 2 labels"])
  }

  @Test func aBackgroundLabelIsSkipped() throws {
    let detector = try detector(.init(labels: Labels(["background", "cat", "dog", "bird"])))
    #expect(try detector.detect(in: picture) == expected)
    #expect(detector.explanation.warnings.isEmpty)
  }

  @Test func boxesOfARegionAreInPixelsOfThePicture() throws {
    let region = BoundingBox(x: 10, y: 0, width: 20, height: 10)
    let boxes = try detector().detect(in: picture, region: region).map(\.box)
    #expect(
      boxes == [
        BoundingBox(left: 10, top: 0, right: 20, bottom: 5),
        BoundingBox(left: 20, top: 5, right: 30, bottom: 10),
      ])
  }

  @Test(arguments: Orientation.allCases)
  func boxesAreUpright(orientation: Orientation) throws {
    let stored = orientation.isTransposed ? PixelSize(width: 20, height: 40) : picture.storedSize
    let turned = Image(uninitialized: .rgb8, size: stored, orientation: orientation)
    #expect(try detector().detect(in: turned) == expected)
  }

  @Test func tilesCoverTheRegion() {
    let tiles = Tiling(columns: 2, rows: 1, overlap: 0.5).tiles(
      of: BoundingBox(x: 0, y: 0, width: 30, height: 10))
    #expect(
      tiles == [
        BoundingBox(x: 0, y: 0, width: 20, height: 10),
        BoundingBox(x: 10, y: 0, width: 20, height: 10),
      ])
  }

  @Test func squaresLieEvenlyAndReachTheEdges() throws {
    let tiles = Tiling(side: 100, overlap: 0.2).tiles(
      of: BoundingBox(x: 10, y: 0, width: 250, height: 80))
    #expect(tiles.map(\.left) == [10, 85, 160])
    #expect(tiles.allSatisfy { $0.width == 100 && $0.height == 80 && $0.top == 0 })
    let small = BoundingBox(x: 0, y: 0, width: 100, height: 100)
    #expect(Tiling(side: 100).tiles(of: small).isEmpty)
    let tiled = try detector(.init(tiling: Tiling(side: 1)))
    let large = Image(uninitialized: .rgb8, size: PixelSize(width: 100, height: 100))
    #expect(throws: VisionError.self) { try tiled.detect(in: large) }
  }

  @Test func theExplanationSaysWhatWasDecided() throws {
    let explanation = try detector().explanation
    let entries = Dictionary(
      explanation.entries.map { ($0.property, $0) }, uniquingKeysWith: { first, _ in first })
    #expect(entries["input size"]?.value == "8x8, nhwc")
    #expect(entries["outputs"]?.source == "the operator that computes them")
    #expect(entries["most objects"]?.value == "2")
    #expect(entries["labels"]?.value == "3")
  }

  @Test func severalThreadsShareADetector() async throws {
    let detector = try detector()
    try await withThrowingTaskGroup(of: [Detection].self) { group in
      for _ in 0..<16 { group.addTask { try detector.detect(in: picture) } }
      for try await found in group { #expect(found == expected) }
    }
  }
}
