import OcellusImaging
import OcellusModelFile
import OcellusTestSupport
import OcellusVision
import Testing

/// Answers that are none: floods, things outside of the picture, and boxes rounded away.
@Suite struct OddAnswerTests {
  private func detector(
    rows: [[Float]], side: Int, form: SyntheticNetwork.Output? = nil
  ) throws -> ObjectDetector {
    let count = 3 * (side / 8 * side / 8 + side / 16 * side / 16 + side / 32 * side / 32)
    let unused = [[Float]](repeating: [0, 0, 8, 8, 0, 0], count: count - rows.count)
    let output = SyntheticNetwork.Output.constant([1, count, 6], (rows + unused).flatMap { $0 })
    let network = SyntheticNetwork(
      input: [1, side, side, 3], [(name: "rows", output: form ?? output)])
    return try ObjectDetector(
      network.model(), options: .init(input: .init(normalization: .unit)))
  }

  private func picture(_ width: Int, _ height: Int) -> Image {
    Image(uninitialized: .rgb8, size: PixelSize(width: width, height: height))
  }

  /// Boxes of many sizes around the same places, all certain: a wrong range of values does this.
  @Test func floodsAreRefused() throws {
    let flood = (0..<600).map { index -> [Float] in
      let (x, y) = (Float(index % 20) * 16, Float(index / 20 % 20) * 16)
      let size = [8, 24, 72, 200][index % 4] as Float
      return [x, y, size, size * 0.75, 1, 0.999]
    }
    let error = #expect(throws: VisionError.self) {
      try detector(rows: flood, side: 320).detect(in: picture(320, 320))
    }
    let text = try #require(error).description
    #expect(text.contains("flood"))
    #expect(text.contains("--values"))
  }

  /// A crowd of objects beside each other is returned, however many and certain they are.
  @Test(arguments: [0.999, 0.6] as [Float])
  func crowdsAreNot(score: Float) throws {
    let crowd = (0..<900).map { index -> [Float] in
      [Float(index % 30) * 10 + 10, Float(index / 30) * 10 + 10, 12, 12, 1, score]
    }
    let found = try detector(rows: crowd, side: 320).detect(in: picture(320, 320))
    #expect(found.count == 900)
  }

  /// People with a helmet and a vest each: boxes that lie across one or two others.
  @Test func crowdsWithPartsAreNot() throws {
    let people = (0..<100).flatMap { index -> [[Float]] in
      let (x, y) = (Float(index % 10) * 32 + 16, Float(index / 10) * 32 + 16)
      return [
        [x, y, 20, 30, 1, 0.999], [x, y - 11, 8, 6, 1, 0.995], [x, y + 2, 16, 10, 1, 0.995],
      ]
    }
    let found = try detector(rows: people, side: 320).detect(in: picture(320, 320))
    #expect(found.count == 300)
  }

  /// A picture twice as wide as high has bars of 16 pixels above and below in an input of 64.
  @Test func thingsInTheBarsAreNone() throws {
    let rows: [[Float]] = [
      [32, 8, 16, 12, 1, 0.9], [32, 56, 16, 14, 1, 0.9], [8, 16, 12, 16, 1, 0.8],
      [32, 32, 16, 16, 1, 0.7],
    ]
    let detector = try detector(rows: rows, side: 64)
    let found = try detector.detect(in: picture(128, 64))
    // What lies partly in the picture keeps its whole box.
    #expect(
      found.map(\.box) == [
        BoundingBox(x: 4, y: -16, width: 24, height: 32),
        BoundingBox(x: 48, y: 16, width: 32, height: 32),
      ])
    let ledger = try detector.ledger(for: picture(128, 64))
    #expect(ledger.detections == found)
    #expect(ledger.entries.count { $0.fate == .outside } == 2)
  }

  /// One scale of 8 bits for fractions and for classes up to 79 leaves four steps to a picture.
  @Test func exportsThatRoundBoxesAwayAreNamed() throws {
    func warnings(scale: Float) throws -> [String] {
      var table = [Float](repeating: 0, count: 300 * 6)
      table.replaceSubrange(0..<6, with: [0, 0.31, 0.62, 0.93, 0.93, 5])
      let rows = SyntheticNetwork.Output.quantized(
        [1, 300, 6], table, .int8, scale: scale, zeroPoint: -128)
      return try detector(rows: [], side: 640, form: rows).explanation.warnings
        .filter { $0.contains("steps of") }
    }
    let rough = try warnings(scale: 0.30625)
    #expect(rough.count == 2)
    #expect(rough.first?.contains("steps of 196 pixels") == true)
    #expect(rough.last?.contains("steps of 0.31") == true)
    #expect(try warnings(scale: 0.004).isEmpty)
  }

  /// YOLOX's sizes are logarithms: a step of 0.69 doubles them, and a scale for scores cuts them off.
  @Test func exportsThatRoundLogarithmsAreNamed() throws {
    func warnings(scale: Float) throws -> [String] {
      let rows = SyntheticNetwork.Output.quantized(
        [1, 21, 6], [Float](repeating: 0, count: 21 * 6), .int8, scale: scale, zeroPoint: -128)
      let network = SyntheticNetwork(input: [1, 32, 32, 3], [("output", rows)])
      let detector = try ObjectDetector(
        network.model(), options: .init(input: .init(normalization: .unit)))
      #expect(detector.decoder.summary == "YOLOX rows")
      return detector.explanation.warnings.filter {
        $0.contains("each possible size") || $0.contains("no box is larger")
      }
    }
    #expect(try warnings(scale: 0.6931472).first?.contains("is 2.00 times") == true)
    #expect(try warnings(scale: 0.02).isEmpty)
    #expect(try warnings(scale: 1 / 256).first?.contains("than 2.71 cells") == true)
  }

  /// The range that the metadata give is that of the picture before it is normalized.
  @Test func metadataAboutFractions() {
    func normalization(
      _ mean: Float, _ deviation: Float, _ range: ClosedRange<Float>?
    ) -> PictureTensor.Normalization? {
      var metadata = TensorMetadata()
      metadata.processUnits = [.normalization(mean: [mean], standardDeviation: [deviation])]
      if let range {
        (metadata.minimum, metadata.maximum) = ([range.lowerBound], [range.upperBound])
      }
      return metadata.normalization
    }
    #expect(normalization(127.5, 127.5, nil) == .signedUnit)
    #expect(normalization(127.5, 127.5, 0...255) == .signedUnit)
    #expect(normalization(127.5, 127.5, -1...1) == .signedUnit)
    #expect(normalization(0, 255, 0...1) == .unit)
    #expect(normalization(0, 1, 0...255) == PictureTensor.Normalization.none)
    #expect(normalization(0, 1, 0...1) == .unit)
    #expect(normalization(0.5, 0.5, 0...1) == .signedUnit)
  }
}
