import OcellusImaging
import OcellusModelFile
import OcellusTestSupport
import OcellusVision
import Testing

/// YOLO networks whose boxes are in several outputs, or that were cut off before their last layers.
///
/// Inputs are 32 pixels square: 16, 4 and 1 cells of the strides 8, 16 and 32.
@Suite struct YOLOHeadTests: FamilyChecks {
  private static let counts = [16, 4, 1]
  private static let sides = [4, 2, 1]
  /// Four distributions of 16 bins with all of their mass at a distance of one cell.
  private static let oneCell = (0..<64).map { $0 % 16 == 1 ? Float(60) : 0 }

  /// Cell (1, 1) of stride 8, whose centre is (12, 12): 8 pixels to every side.
  private let box = [4.0, 4, 20, 20]

  /// Returns the class scores of a level: only cell 5 of the first one has an object, of class 1.
  private static func scores(_ level: Int) -> [Float] {
    rows(counts[level], [-9, -9], at: level == 0 ? 5 : -1, [-9, 2.1972246])
  }

  private static func boxes(_ level: Int) -> [Float] {
    rows(counts[level], oneCell, at: -1, [])
  }

  @Test func mapsOfBoxesAndScores() throws {
    let outputs = (0..<3).map { level -> (String, Output) in
      let side = Self.sides[level]
      return (
        "map\(level)",
        .joined(
          [
            .linear([1, side, side, 64], Self.boxes(level)),
            .linear([1, side, side, 2], Self.scores(level)),
          ], axis: 3)
      )
    }
    for outputs in [outputs, outputs.reversed()] {
      let (found, summary) = try only(outputs)
      #expect(summary == "YOLO v8 heads, strides 8 16 32")
      expect(found, box, score: 0.9, category: 1)
    }
  }

  @Test func mapsWithChannelsFirst() throws {
    let outputs = (0..<3).map { level -> (String, Output) in
      let side = Self.sides[level]
      return (
        "map\(level)",
        .joined(
          [
            .linear([1, 64, side, side], Self.planes(Self.boxes(level), 64)),
            .linear([1, 2, side, side], Self.planes(Self.scores(level), 2)),
          ], axis: 1)
      )
    }
    expect(try only(outputs).detection, box, score: 0.9, category: 1)
  }

  /// The finished rows, whose one scale has rounded the scores away, are beside the heads.
  @Test func mapsBesideTheirRows() throws {
    var outputs = (0..<3).map { level -> (String, Output) in
      let side = Self.sides[level]
      return (
        "map\(level)",
        .joined(
          [
            .linear([1, side, side, 64], Self.boxes(level)),
            .linear([1, side, side, 2], Self.scores(level)),
          ], axis: 3)
      )
    }
    let rows = Output.quantized(
      [1, 6, 21], [Float](repeating: 0, count: 126), .int8, scale: 2.5, zeroPoint: -128)
    outputs.insert(("rows", rows), at: 2)
    let (found, summary) = try only(outputs)
    #expect(summary == "YOLO v8 heads, strides 8 16 32")
    expect(found, box, score: 0.9, category: 1)
  }

  /// Rockchip's form: boxes, probabilities, and their sum, which is redundant.
  @Test func separateMaps() throws {
    let outputs = (0..<3).flatMap { level -> [(String, Output)] in
      let side = Self.sides[level]
      return [
        ("box\(level)", .linear([1, side, side, 64], Self.boxes(level))),
        ("class\(level)", .sigmoid([1, side, side, 2], Self.scores(level))),
        (
          "sum\(level)",
          .constant([1, side, side, 1], [Float](repeating: 0, count: Self.counts[level]))
        ),
      ]
    }
    expect(try only(outputs).detection, box, score: 0.9, category: 1)
  }

  @Test func rowsOfAllStrides() throws {
    let boxes = (0..<3).flatMap(Self.boxes)
    let scores = (0..<3).flatMap(Self.scores)
    for outputs in [
      [("a", Output.linear([1, 21, 64], boxes)), ("b", .linear([1, 21, 2], scores))],
      [
        ("a", .linear([1, 2, 21], Self.planes(scores, 2))),
        ("b", .linear([1, 64, 21], Self.planes(boxes, 64))),
      ],
      [
        (
          "a",
          .joined([.linear([1, 21, 64], boxes), .linear([1, 21, 2], scores)], axis: 2)
        )
      ],
    ] {
      expect(try only(outputs).detection, box, score: 0.9, category: 1)
    }
  }

  @Test func segmentationCutShort() throws {
    var outputs = (0..<3).map { level -> (String, Output) in
      let side = Self.sides[level]
      return (
        "map\(level)",
        .joined(
          [
            .linear([1, side, side, 64], Self.boxes(level)),
            .linear([1, side, side, 2], Self.scores(level)),
          ], axis: 3)
      )
    }
    outputs.append(("coefficients", .linear([1, 7, 21], [Float](repeating: 5, count: 147))))
    outputs.append(("prototypes", .linear([1, 8, 8, 7], [Float](repeating: 0, count: 448))))
    let (found, summary) = try only(outputs)
    expect(found, box, score: 0.9, category: 1)
    #expect(!summary.contains("keypoints"))
  }

  @Test func posesCutShort() throws {
    var outputs = (0..<3).map { level -> (String, Output) in
      let side = Self.sides[level]
      return (
        "map\(level)",
        .joined(
          [
            .linear([1, side, side, 64], Self.boxes(level)),
            .linear(
              [1, side, side, 1],
              Self.rows(Self.counts[level], [-9], at: level == 0 ? 5 : -1, [2.1972246])),
          ], axis: 3)
      )
    }
    let points = Self.rows(
      21, [Float](repeating: 0, count: 6), at: 5, [0.5, 0.25, 9, -0.5, 0, 9])
    outputs.append(("points", .linear([1, 6, 21], Self.planes(points, 6))))
    let (found, summary) = try only(outputs)
    expect(found, box, score: 0.9)
    #expect(summary.hasSuffix("with 2 keypoints"))
    // Twice the number, in cells from the corner (8, 8).
    #expect(found.keypoints == [PixelPoint(x: 16, y: 12), PixelPoint(x: 0, y: 8)])
  }

  /// Boxes as centres in fractions, scores, coefficients of masks, and their prototypes.
  @Test func segmentationInFourOutputs() throws {
    let boxes = Self.rows(21, [0.5, 0.5, 0.1, 0.1], at: 9, [0.5, 0.5, 0.25, 0.5])
    let scores = Self.rows(21, [-9, -9], at: 9, [-9, 2.1972246])
    let (found, summary) = try only([
      ("scores", .sigmoid([1, 2, 21], Self.planes(scores, 2))),
      ("prototypes", .constant([1, 8, 8, 7], [Float](repeating: 0, count: 448))),
      ("boxes", .constant([1, 4, 21], Self.planes(boxes, 4))),
      ("coefficients", .constant([1, 7, 21], [Float](repeating: 5, count: 147))),
    ])
    #expect(summary == "boxes and scores of 21 cells")
    expect(found, [12, 8, 20, 24], score: 0.9, category: 1)
  }

  /// The numbers themselves show whether they are centres, and whether they are pixels.
  @Test func boxesAndScoresInTwoOutputs() throws {
    let scores = Output.sigmoid([1, 21, 2], Self.rows(21, [-9, -9], at: 9, [-9, 2.1972246]))
    for (usual, box) in [
      ([16, 16, 4, 4], [16, 16, 8, 16]), ([0.5, 0.5, 0.1, 0.1], [0.5, 0.5, 0.25, 0.5]),
      ([0, 0, 1, 1], [12, 8, 20, 24]),
    ] as [([Float], [Float])] {
      let boxes = Self.rows(21, usual, at: 9, box)
      expect(
        try only([("boxes", .constant([1, 21, 4], boxes)), ("scores", scores)]).detection,
        [12, 8, 20, 24], score: 0.9, category: 1)
    }
  }

  @Test func posesInThreeOutputs() throws {
    let (found, _) = try only([
      (
        "boxes",
        .constant(
          [1, 4, 21], Self.planes(Self.rows(21, [16, 16, 4, 4], at: 9, [16, 16, 8, 16]), 4))
      ),
      ("scores", .sigmoid([1, 1, 21], Self.rows(21, [-9], at: 9, [2.1972246]))),
      (
        "points",
        .constant(
          [1, 6, 21],
          Self.planes(
            Self.rows(21, [Float](repeating: 0, count: 6), at: 9, [10, 12, 1, 20, 22, 1]), 6))
      ),
    ])
    expect(found, [12, 8, 20, 24], score: 0.9)
    #expect(found.keypoints == [PixelPoint(x: 10, y: 12), PixelPoint(x: 20, y: 22)])
  }

  /// One map per stride, of three anchors with one class: all logits, and one object.
  ///
  /// It is in cell (1, 0) of stride 16, of the second anchor: its centre is (24, 8).
  private static func maps(byAnchor: Bool) -> [(String, Output)] {
    let nothing: [Float] = [0, 0, 0, 0, -9, 0]
    let object: [Float] = [0, 0, 0, -1.0986123, 30, 2.1972246]
    return (0..<3).map { level in
      let (side, count) = (sides[level], counts[level])
      let place = level != 1 ? -1 : byAnchor ? 4 + 1 : 3 + 1
      return (
        "map\(level)",
        .linear(
          byAnchor ? [1, 3, side, side, 6] : [1, side, side, 18],
          rows(3 * count, nothing, at: place, object))
      )
    }
  }

  @Test(arguments: [false, true])
  func publishedAnchorsHaveNames(byAnchor: Bool) throws {
    let maps = Self.maps(byAnchor: byAnchor)
    // The anchor is 62 by 45 pixels; YOLO v5's factors are (2 / 2)² and (2 / 4)², v3's 1 and 1/3.
    expect(
      try only(maps, anchors: .standard(.v5)).detection, [-7, 2.375, 55, 13.625], score: 0.9)
    expect(try only(maps, anchors: .standard(.v3)).detection, [-7, 0.5, 55, 15.5], score: 0.9)
  }

  /// The same maps with the channels before the cells, in four or five dimensions.
  @Test(arguments: [false, true])
  func channelsMayComeFirst(anchorsAreApart: Bool) throws {
    let maps = Self.sides.enumerated().map { level, side -> (String, Output) in
      let (cells, numbers) = (side * side, 6)
      var values = [Float](repeating: 0, count: 3 * numbers * cells)
      func set(_ anchor: Int, _ number: Int, _ cell: Int, _ value: Float) {
        values[(anchor * numbers + number) * cells + cell] = value
      }
      for anchor in 0..<3 { for cell in 0..<cells { set(anchor, 4, cell, -9) } }
      if level == 1 {
        for (number, value) in [0, 0, 0, -1.0986123, 30, 2.1972246].enumerated() {
          set(1, number, 1, Float(value))
        }
      }
      let shape = anchorsAreApart ? [1, 3, numbers, side, side] : [1, 3 * numbers, side, side]
      return ("map\(level)", .linear(shape, values))
    }
    let (found, _) = try only(maps, anchors: .standard(.v3))
    expect(found, [-7, 0.5, 55, 15.5], score: 0.9)
  }

  @Test func refusalsNameThePublishedAnchors() throws {
    let error = #expect(throws: VisionError.self) { _ = try detector(Self.maps(byAnchor: false)) }
    let text = try #require(error).description
    for name in ["--anchors FILE|NAME", "yolov3,", "yolov5,", "yolov7,"] {
      #expect(text.contains(name), "\(text)")
    }
    #expect(!text.contains("tiny,"), "two maps would be the tiny variants': \(text)")
  }

  @Test func publishedAnchorsAreThoseOfThePapers() {
    #expect(YOLOAnchors.v3.sizes.first == PixelPoint(x: 10, y: 13))
    #expect(YOLOAnchors.v4.sizes.last == PixelPoint(x: 459, y: 401))
    #expect(YOLOAnchors.v2.sizes[4] == PixelPoint(x: 32 * 9.77052, y: 32 * 9.16828))
    for anchors in YOLOAnchors.allCases { #expect([5, 6, 9].contains(anchors.sizes.count)) }
  }
}
