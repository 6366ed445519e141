import Foundation
import OcellusEngine
import OcellusImaging
import OcellusModelFile
import OcellusTestSupport
import OcellusVision
import Testing

/// Results of several pictures in one run equal the results of one picture per run.
@Suite struct BatchTests {
  /// Ten different pictures: the samples, and smaller copies of them.
  private static func pictures() throws -> [Image] {
    let folder = try EmbeddedModel.detector.path.split(separator: "/").dropLast()
    let samples = "/\(folder.joined(separator: "/"))/samples"
    let whole = try ["balloon", "cherries", "strawberry", "sunflower"].map {
      try Image(contentsOf: "\(samples)/\($0).jpg")
    }
    let small = try whole.map {
      try $0.resized(to: PixelSize(width: 90, height: 70), using: .pillowBilinear)
    }
    return whole + small + whole.reversed().prefix(2)
  }

  @Test func labelsOfABatchAreThoseOfEach() throws {
    let pictures = try Self.pictures()
    let labeler = try ImageLabeler(path: EmbeddedModel.labeler.path)
    let alone = try pictures.map { try labeler.labels(in: $0) }
    #expect(try labeler.labels(in: pictures, batching: .never) == alone)
    #expect(labeler.picturesPerRun == 1)
    #expect(try labeler.labels(in: pictures, batching: .wherePossible) == alone)
    #expect(labeler.picturesPerRun == 4)
    #expect(try labeler.duplicate().labels(in: pictures) == alone)
  }

  /// A labeler with a memory or time budget runs one picture at a time: the budget is not
  /// stretched.
  @Test(arguments: [RunBudget(bytes: 2_500_000), RunBudget(time: .seconds(9))])
  func budgetsAreNotStretched(budget: RunBudget) throws {
    let pictures = try Self.pictures()
    let labeler = try ImageLabeler(
      path: EmbeddedModel.labeler.path, options: .init(budget: budget))
    let alone = try pictures.map { try labeler.labels(in: $0) }
    #expect(try labeler.labels(in: pictures, batching: .wherePossible) == alone)
    #expect(labeler.picturesPerRun == 1)
  }

  @Test func poolsLabelManyPictures() async throws {
    let pictures = try Self.pictures() + Self.pictures()
    let labeler = try ImageLabeler(path: EmbeddedModel.labeler.path)
    let alone = try pictures.map { try labeler.labels(in: $0) }
    let pool = try ViewerPool(labeler, count: 2)
    #expect(try await pool.labels(in: pictures) == alone)
    #expect(try await pool.labels(in: []) == [])
  }

  /// A batch gives the detections of single pictures; the default model's batch of one is built in.
  @Test func detectionsOfABatchAreThoseOfEach() throws {
    let pictures = try Self.pictures()
    let detector = try ObjectDetector(path: EmbeddedModel.detector.path)
    let alone = try pictures.map { try detector.detect(in: $0) }
    #expect(try detector.detect(in: pictures, batching: .wherePossible) == alone)
    #expect(try detector.detect(in: pictures) == alone)
  }

  /// A network whose batch can be resized runs picture by picture if it mixes the pictures.
  @Test(arguments: [false, true])
  func networksThatMixPicturesSeeThemAlone(mixes: Bool) throws {
    let options = ImageLabeler.Options(
      labels: Labels(["red", "green", "blue"]), activation: ScoreActivation.none,
      input: .init(normalization: .unit))
    let labeler = try ImageLabeler(Self.network(mixes: mixes), options: options)
    let pictures = try (0..<8).map { number in
      try Image(
        .rgb8, size: PixelSize(width: 4, height: 4),
        bytes: (0..<48).map { (index: Int) -> UInt8 in UInt8((index * 7 + number * 31) % 256) })
    }
    let alone = try pictures.map { try labeler.labels(in: $0) }
    #expect(Set(alone).count > 1)
    #expect(try labeler.labels(in: pictures, batching: .wherePossible) == alone)
    #expect(labeler.picturesPerRun == (mixes ? 1 : 4))
  }

  /// Returns a network for the mean colour of each picture, or, with `mixes`, for the maximum of it
  /// and of the mean colour at the mirrored index of the batch.
  private static func network(mixes: Bool) throws -> Model {
    let integers = ModelWriter.Options(tag: BuiltinOptionsTag.reducer)
    var operators = [
      ModelWriter.Operator(
        OperatorCodeRecord(named: "MEAN"), inputs: [0, 1], outputs: [3], options: integers)
    ]
    if mixes {
      operators += [
        .init(
          OperatorCodeRecord(named: "REVERSE_V2"), inputs: [3, 2], outputs: [4],
          options: .init(tag: BuiltinOptionsTag.reverseV2)),
        .init(
          OperatorCodeRecord(named: "MAXIMUM"), inputs: [3, 4], outputs: [5],
          options: .init(tag: BuiltinOptionsTag.maximumMinimum)),
      ]
    }
    let writer = ModelWriter(subgraphs: [
      .init(
        tensors: [
          .init("picture", .float32, [1, 4, 4, 3]),
          .init("places", .int32, [2], constant: .init(bytesOf: [1, 2] as [Int32])),
          .init("pictures", .int32, [1], constant: .init(bytesOf: [0] as [Int32])),
          .init("colour", .float32, [1, 3]), .init("reversed", .float32, [1, 3]),
          .init("scores", .float32, [1, 3]),
        ],
        inputs: [0], outputs: [mixes ? 5 : 3], operators: operators)
    ])
    return try Model(bytes: writer.bytes())
  }
}

@Suite(.enabled(if: SharedFiles.arePresent, "\(SharedFiles.missing)"))
struct ZooBatchTests {
  private func path(_ name: String) -> String { SharedFiles.folder.path + "/zoo/" + name }

  /// Batches of real detectors, with and without post-processing in the graph, equal single runs.
  @Test(arguments: ZooDetections.all)
  func detectionsOfABatchAreThoseOfEach(expected: ZooDetections) throws {
    var options = ObjectDetector.Options(scoreThreshold: expected.threshold)
    options.anchors = try expected.anchors.map {
      try AnchorSource(contentsOf: path("models/labels/\($0)"))
    }
    let detector = try ObjectDetector(
      path: path("\(expected.folder)/\(expected.model).tflite"), options: options)
    let picture = try Image(contentsOf: path("images/photos/\(expected.picture)"))
    let small = try picture.resized(to: PixelSize(width: 200, height: 300), using: .pillowBox)
    let pictures = [picture, small, picture, small, small]
    let alone = try pictures.map { try detector.detect(in: $0) }
    #expect(try detector.detect(in: pictures, batching: .wherePossible) == alone)
    print("\(expected.model): \(detector.picturesPerRun) pictures in a run")
  }
}
