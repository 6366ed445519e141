import OcellusEngine
import OcellusImaging
import OcellusModelFile
import OcellusTestSupport
import OcellusVision
import Testing

/// Verdicts on the detections of whole models, against models whose outputs are a little different.
@Suite struct FlipCheckTests {
  /// Operands of the operator that selects boxes, for nine anchors and two classes.
  private struct Operands {
    var encodings: [Float]
    var scores: [Float]
    var usesRegularSuppression = false

    private static let anchors: [Float] = (0..<9).flatMap { index -> [Float] in
      [0.2 + 0.3 * Float(index / 3), 0.2 + 0.3 * Float(index % 3), 0.5, 0.5]
    }

    init(_ generator: inout SeededGenerator) {
      encodings = (0..<36).map { _ in Float.random(in: -1...1, using: &generator) }
      scores = (0..<27).map { _ in Float.random(in: 0...1, using: &generator) }
    }

    func detector(threshold: Float) throws -> ObjectDetector {
      let options: [String: FlexValue] = [
        "max_detections": .int(6), "max_classes_per_detection": .int(1), "num_classes": .int(2),
        "nms_score_threshold": .float(0.2), "nms_iou_threshold": .float(0.4),
        "y_scale": .float(10), "x_scale": .float(10), "h_scale": .float(5), "w_scale": .float(5),
        "use_regular_nms": .bool(usesRegularSuppression),
      ]
      let writer = ModelWriter(subgraphs: [
        .init(
          tensors: [
            .init("picture", .uint8, [1, 8, 8, 3]),
            .init("encodings", .float32, [1, 9, 4], constant: .init(bytesOf: encodings)),
            .init("scores", .float32, [1, 9, 3], constant: .init(bytesOf: scores)),
            .init("anchors", .float32, [9, 4], constant: .init(bytesOf: Self.anchors)),
            .init("out:0", .float32, []), .init("out:1", .float32, []),
            .init("out:2", .float32, []), .init("out:3", .float32, []),
          ],
          inputs: [0], outputs: [4, 5, 6, 7],
          operators: [
            .init(
              OperatorCodeRecord(
                builtinCode: BuiltinOperator.custom, customCode: "TFLite_Detection_PostProcess"),
              inputs: [1, 2, 3], outputs: [4, 5, 6, 7],
              customOptions: FlexValue.map(options).encoded)
          ])
      ])
      var detectorOptions = ObjectDetector.Options()
      detectorOptions.scoreThreshold = threshold
      return try ObjectDetector(Model(bytes: writer.bytes()), options: detectorOptions)
    }

    func ranges(_ width: Float) -> [OutputRange] {
      [
        OutputRange(name: "encodings", shape: [1, 9, 4], exact: encodings).widened(by: width),
        OutputRange(name: "scores", shape: [1, 9, 3], exact: scores).widened(by: width / 10),
      ]
    }

    /// Operands inside of the ranges.
    func drawn(_ width: Float, _ generator: inout SeededGenerator) -> Operands {
      var other = self
      for index in encodings.indices {
        other.encodings[index] += Float.random(in: -width...width, using: &generator)
      }
      for index in scores.indices {
        other.scores[index] += Float.random(in: -width / 10...width / 10, using: &generator)
      }
      return other
    }
  }

  private let picture: Image

  init() throws {
    picture = try Image(
      .rgb8, size: PixelSize(width: 40, height: 20), bytes: [UInt8](repeating: 9, count: 2400))
  }

  private func verdicts(
    _ detector: ObjectDetector, _ operands: Operands, _ width: Float
  ) throws -> (found: [Detection], verdicts: DetectionVerdicts) {
    var check = try FlipCheck(of: detector)
    #expect(check.tensors == [1, 2] && check.isInGraph)
    let (_, mapping) = try detector.separateInterpreter(for: picture, region: nil)
    let found = try detector.detect(in: picture)
    try check.settle([
      OutputRange(name: "encodings", shape: [1, 9, 4], exact: operands.encodings),
      OutputRange(name: "scores", shape: [1, 9, 3], exact: operands.scores),
    ])
    return (found, try check.verdicts(on: found, outputs: operands.ranges(width), mapping))
  }

  @Test(arguments: [false, true])
  func certainDetectionsStayInWhateverIsDrawn(usesRegularSuppression: Bool) throws {
    var generator = SeededGenerator(seed: 31)
    var (certain, open) = (0, 0)
    for round in 0..<24 {
      var operands = Operands(&generator)
      operands.usesRegularSuppression = usesRegularSuppression
      let width: Float = [0.001, 0.02, 0.2][round % 3]
      let (found, result) = try verdicts(operands.detector(threshold: 0.5), operands, width)
      #expect(result.verdicts.count == found.count)
      for _ in 0..<6 {
        let others = try operands.drawn(width, &generator).detector(threshold: 0.5)
          .detect(in: picture)
        for (detection, verdict) in zip(found, result.verdicts) {
          let verdict = try #require(verdict)
          guard verdict.isCertain else { continue }
          #expect(
            others.contains {
              $0.categories[0].index == detection.categories[0].index
                && verdict.lowScore <= $0.score && $0.score <= verdict.highScore
                && verdict.box.holds($0.box)
            })
        }
        // Whatever is found was found before, or may appear.
        #expect(others.count <= found.count + result.newCount)
      }
      certain += result.verdicts.count { $0?.isCertain == true }
      open += result.verdicts.count { $0?.isCertain == false }
    }
    #expect(certain > 40 && open > 10)
  }

  @Test func theThresholdIsAMargin() throws {
    var generator = SeededGenerator(seed: 5)
    var operands = Operands(&generator)
    operands.scores = Array(repeating: 0, count: 27)
    operands.scores[1] = 0.504
    operands.scores[26] = 0.496
    let detector = try operands.detector(threshold: 0.5)
    let near = try verdicts(detector, operands, 0.03).verdicts
    #expect(near.verdicts.map { $0?.isCertain } == [true] && near.newCount == 0)
    let far = try verdicts(detector, operands, 0.05).verdicts
    #expect(far.verdicts.map { $0?.risks } == [[.threshold(0.5)]] && far.newCount == 1)
    #expect(far.newcomers.map(\.category) == [1])
  }

  @Test func optionsThatAreNotCoveredAreNamed() throws {
    var options = ObjectDetector.Options()
    options.tiling = Tiling(columns: 2, rows: 1)
    let detector = try ObjectDetector(SyntheticDetector.model(), options: options)
    #expect(throws: FlipCheck.NotCovered.self) { try FlipCheck(of: detector) }
  }
}
