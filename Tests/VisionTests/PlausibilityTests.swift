import OcellusImaging
import OcellusModelFile
import OcellusTestSupport
import OcellusVision
import Testing

/// Implausible inputs and outputs give an explanatory error instead of an answer.
@Suite struct PlausibilityTests {
  private typealias Output = SyntheticNetwork.Output

  private let picture = Image(uninitialized: .rgb8, size: PixelSize(width: 32, height: 32))

  private func detector(
    _ outputs: [(String, Output)], input: [Int] = [1, 32, 32, 3],
    _ options: ObjectDetector.Options = .init(input: .init(normalization: .unit))
  ) throws -> ObjectDetector {
    try ObjectDetector(
      SyntheticNetwork(input: input, outputs.map { (name: $0, output: $1) }).model(),
      options: options)
  }

  /// Returns the 63 rows of a YOLO v5 with one class at 32 pixels.
  private func rows(_ numbers: [Float]) -> [(String, Output)] {
    [("rows", .constant([1, 63, 6], (0..<63).flatMap { _ in numbers }))]
  }

  private func message(_ body: () throws -> Void) throws -> String {
    let error = #expect(throws: VisionError.self) { try body() }
    return try #require(error).description
  }

  @Test func scoresAreProbabilities() throws {
    let detector = try detector(rows([16, 16, 8, 8, 1, 1.42]))
    let text = try message { _ = try detector.detect(in: picture) }
    #expect(text.hasPrefix("implausible: a score of 1.42"))
  }

  @Test(arguments: [1.3e6, .infinity, .nan] as [Float])
  func boxesAreNearThePicture(size: Float) throws {
    let detector = try detector(rows([16, 16, size, size, 1, 0.9]))
    let text = try message { _ = try detector.detect(in: picture) }
    #expect(text.contains("far outside the picture"))
  }

  @Test func thresholdsAreShares() throws {
    for threshold in [3, -0.1, .nan] as [Float] {
      let input = PictureInput.Options(normalization: .unit)
      for options in [
        ObjectDetector.Options(scoreThreshold: threshold, input: input),
        .init(categoryThresholds: ["cat": threshold], input: input),
        .init(suppression: .perCategory(overlap: Double(threshold)), input: input),
      ] {
        let text = try message { _ = try detector(rows([0, 0, 1, 1, 0, 0]), options) }
        #expect(text.contains("must lie between 0 and 1"))
      }
      #expect(throws: VisionError.self) {
        try SyntheticLabeler.labeler(.init(scoreThreshold: threshold))
      }
    }
  }

  @Test func regionsHaveSomethingOfThePicture() throws {
    let detector = try detector(rows([16, 16, 8, 8, 1, 0.9]))
    for region in [
      BoundingBox(left: 32, top: 0, right: 40, bottom: 8),
      BoundingBox(left: 8, top: 8, right: 8, bottom: 16),
      BoundingBox(left: .nan, top: 0, right: 8, bottom: 8),
    ] {
      let text = try message { _ = try detector.detect(in: picture, region: region) }
      #expect(text.contains("no pixels of the picture"))
    }
    // The box lies beyond the picture in one region, and in the picture in the other.
    let partly = BoundingBox(left: 16, top: 16, right: 64, bottom: 64)
    #expect(try detector.detect(in: picture, region: partly).isEmpty)
    let mostly = BoundingBox(left: 0, top: 0, right: 48, bottom: 48)
    #expect(try detector.detect(in: picture, region: mostly).count == 1)
  }

  /// Inputs like a wake word's [1, 3, 40] are rejected as spectrograms; an input size overrides
  /// that.
  @Test(arguments: [[1, 3, 40], [1, 29, 13], [1, 49, 10, 1], [1, 1, 257]])
  func spectrogramsAreNoPictures(shape: [Int]) throws {
    let network = SyntheticNetwork(
      input: shape, type: .uint8, [("scores", .sigmoid([1, 2], [0, 1]))])
    let text = try message { _ = try ImageLabeler(network.model()) }
    #expect(text.contains("more like a spectrogram"))
    #expect(text.contains("--input-size"))
  }

  @Test func oneNumberIsNoListOfClasses() throws {
    let age = SyntheticNetwork(
      input: [1, 32, 32, 3], type: .uint8, [("age", .linear([1, 1], [31]))])
    #expect(try message { _ = try ImageLabeler(age.model()) }.contains("one number"))
    let isPerson = SyntheticNetwork(
      input: [1, 32, 32, 3], type: .uint8, [("person", .sigmoid([1, 1], [0]))])
    #expect(try ImageLabeler(isPerson.model()).labels(in: picture).map(\.score) == [0.5])
  }

  /// Ranges for float inputs are rejected for byte inputs, where they would use few of 256 values.
  @Test func rangesForFloatsAreNoneForBytes() throws {
    for range in [PictureTensor.Normalization.unit, .signedUnit, .imageNet] {
      let text = try message {
        _ = try ImageLabeler(
          SyntheticLabeler.model(), options: .init(input: .init(normalization: range)))
      }
      #expect(text.contains("takes bytes"))
    }
  }

  /// A model opened by a command for another task gives an error that names the right command.
  @Test func refusalsOfOtherTasksNameWhatWouldFit() throws {
    func zeros(_ shape: [Int]) -> Output {
      .linear(shape, [Float](repeating: 0, count: shape.reduce(1, *)))
    }
    let models: [(outputs: [(String, Output)], advice: String, fits: String)] = [
      (rows([16, 16, 8, 8, 1, 0.9]), "try `detect`", "detect"),
      ([("scores", .softmax([1, 5], [0, 0, 0, 0, 0]))], "try `label`", "label"),
      ([("landmarks", zeros([1, 63]))], "try `pose`", "pose"),
      ([("pose", zeros([1, 17, 3]))], "try `pose`", "pose"),
      (
        [("mask", .sigmoid([1, 32, 32, 1], [Float](repeating: 0, count: 1024)))], "try `segment`",
        "segment"
      ),
      ([("prob", .softmax([1, 2], [0, 0])), ("box", zeros([1, 4]))], "MTCNN", ""),
      // A window of 12 pixels fits 11 times into 32, in steps of two.
      ([("prob", zeros([1, 11, 11, 2])), ("box", zeros([1, 11, 11, 4]))], "MTCNN", ""),
      // Cells of 32 pixels are those of a detector.
      ([("prob", zeros([1, 2, 2, 2])), ("box", zeros([1, 2, 2, 4]))], "several kinds", ""),
      ([("rpn_text_detector/predictions", zeros([1, 4, 4, 7]))], "speak of boxes", "segment pose"),
      ([("first", zeros([1, 8])), ("second", zeros([1, 8]))], "`run` prints them", ""),
      ([("age", zeros([1, 1]))], "number", ""),
    ]
    for (outputs, advice, fits) in models {
      let model = try SyntheticNetwork(
        input: [1, 32, 32, 3], type: .uint8, outputs.map { (name: $0, output: $1) }
      ).model()
      let commands: [(name: String, open: () throws -> Void)] = [
        ("detect", { _ = try ObjectDetector(model) }), ("label", { _ = try ImageLabeler(model) }),
        ("segment", { _ = try ImageSegmenter(model) }), ("pose", { _ = try PoseFinder(model) }),
        ("embed", { _ = try ImageEmbedder(model) }),
      ]
      for command in commands where !fits.split(separator: " ").contains(command.name[...]) {
        let text = try message { try command.open() }
        #expect(text.contains(advice), "\(command.name): \(text)")
      }
    }
  }

  @Test func ofSeveralListsTheCallerSaysWhichHasTheScores() throws {
    let model = try SyntheticNetwork(
      input: [1, 32, 32, 3], type: .uint8,
      [("box", .linear([1, 4], [0, 0, 1, 1])), ("prob", .softmax([1, 2], [0, 0]))]
    ).model()
    #expect(try message { _ = try ImageLabeler(model) }.contains("--output N"))
    let labeler = try ImageLabeler(model, options: .init(output: 1))
    #expect(try labeler.labels(in: picture).map(\.score) == [0.5, 0.5])
  }

  @Test func refusalsNameWhatWouldFit() throws {
    let classes: [(String, Output)] = [("scores", .softmax([1, 5], [0, 0, 0, 0, 0]))]
    #expect(try message { _ = try detector(classes) }.contains("try `label`"))
    let maps: [(String, Output)] = [
      ("large", .linear([1, 4, 4, 18], [Float](repeating: 0, count: 288))),
      ("small", .linear([1, 2, 2, 18], [Float](repeating: 0, count: 72))),
    ]
    #expect(try message { _ = try detector(maps) }.contains("--anchors FILE"))
    let boxes: [(String, Output)] = [
      ("boxes", .linear([1, 50, 4], [Float](repeating: 0, count: 200))),
      ("scores", .sigmoid([1, 50, 3], [Float](repeating: 0, count: 150))),
    ]
    let text = try message { _ = try detector(boxes) }
    #expect(text.contains("resemble an SSD's") && text.contains("--anchors FILE"))
  }
}
