import OcellusImaging
import OcellusTestSupport
import OcellusVision
import Testing

/// Detectors with anchors that follow from the input's size, or that the network itself carries, and
/// face detectors with a map for each kind of number.
@Suite struct AnchorFamilyTests: FamilyChecks {
  /// The first anchors and the last one, as the metadata of a model by MediaPipe's Model Maker and the
  /// constants of one by TensorFlow's Object Detection API have them.
  @Test(arguments: [
    (
      rows: 19125,
      first: [[0.0125, 0.0125, 0.053033, 0.106066], [0.0125, 0.0125, 0.075, 0.075]],
      last: [0.9, 0.9, 1.346954, 0.673477], center: 0.5
    ),
    (
      rows: 12804,
      first: [[0.0125, 0.0125, 0.1, 0.1], [0.0125, 0.0125, 0.14142135, 0.14142135]],
      last: [0.8, 0.8, 1.6, 3.2], center: 0.05
    ),
  ])
  func pyramidsExplainTheNumberOfBoxes(
    _ pyramid: (rows: Int, first: [[Double]], last: [Double], center: Double)
  ) throws {
    let count = pyramid.rows
    let boxes = Self.rows(count, [0, 0, 0, 0], at: 1, [0.5, 0, 0, 0])
    let scores = Self.rows(count, [-9, -9, -9], at: 1, [-9, 2.1972246, -9])
    let outputs: [(String, Output)] = [
      ("detection_boxes", .linear([1, count, 4], boxes)),
      ("detection_scores", .sigmoid([1, count, 3], scores)),
    ]
    let detector = try detector(outputs, side: 320)
    let anchors = try #require(detector.decoder as? AnchorDecoder).anchors
    #expect(anchors.count == count)
    let last = anchors[count - 1]
    let found = [anchors[0], anchors[1]].map { [$0.x, $0.y, $0.width, $0.height] }
    for (numbers, expected) in zip(
      found + [[last.x, last.y, last.width, last.height]], pyramid.first + [pyramid.last])
    {
      #expect(zip(numbers, expected).allSatisfy { abs(Double($0) - $1) < 1e-6 }, "\(numbers)")
    }
    // The object is in the second anchor of the first cell; y comes first.
    let (detection, _) = try only(outputs, side: 320)
    let side = pyramid.first[1][2]
    let center = (x: 0.0125, y: 0.0125 + pyramid.center * side)
    expect(
      detection,
      [center.x - side / 2, center.y - side / 2, center.x + side / 2, center.y + side / 2]
        .map { 320 * $0 }, score: 0.9)
  }

  private static let anchors = rows(6, [0.25, 0.25, 0.75, 0.5], at: -1, [])
  private static let offsets = rows(6, [0, 0, 0, 0], at: 2, [0.1, -0.2, 0.2, 0.4])
  private static let scores = rows(6, [9, 0], at: 2, [0, 2.1972246])

  /// The anchor is half as wide as the picture and a quarter as high; offsets are in its sizes.
  @Test(arguments: [
    ["boxes", "anchors"], ["anchors", "boxes"], ["first", "second"], ["a", "b"],
  ])
  func networksMayOutputTheirAnchors(names: [String]) throws {
    let anchorsAreFirst = names[0] == "anchors" || names[0] == "first"
    let both = [Self.offsets, Self.anchors]
    let (found, summary) = try only([
      ("classes", .softmax([1, 6, 2], Self.scores)),
      (names[0], .constant([1, 6, 4], both[anchorsAreFirst ? 1 : 0])),
      (names[1], .constant([1, 6, 4], both[anchorsAreFirst ? 0 : 1])),
    ])
    #expect(summary == "SSD that outputs its anchors")
    expect(found, [9.6, 6.4, 27.2, 19.2], score: 0.9)
  }

  @Test func anchorsMayBeJoinedWithTheScores() throws {
    let (found, _) = try only([
      (
        "predictions",
        .joined(
          [
            .softmax([1, 6, 2], Self.scores), .linear([1, 6, 4], Self.offsets),
            .constant([1, 6, 4], Self.anchors),
          ], axis: 2)
      )
    ])
    expect(found, [9.6, 6.4, 27.2, 19.2], score: 0.9)
  }

  /// 16, 4 and 1 cells with two anchors each, in a map for each stride and kind of number.
  @Test func retinaFaceInNineMaps() throws {
    var outputs: [(String, Output)] = []
    for (side, isPlace) in [(4, false), (2, true), (1, false)] {
      let count = 2 * side * side
      let place = isPlace ? 3 : -1
      outputs += [
        (
          "bbox\(side)",
          .linear(
            [1, side, side, 8],
            Self.rows(count, [0, 0, 0, 0], at: place, [-0.1, 0, -10.397208, -10.397208]))
        ),
        (
          "conf\(side)",
          .linear([1, side, side, 4], Self.rows(count, [9, 0], at: place, [0, 2.1972246]))
        ),
        (
          "landmark\(side)",
          .linear(
            [1, side, side, 20],
            Self.rows(
              count, [Float](repeating: 0, count: 10), at: place, [0, 0, 1, 0, 0, 0, 0, 0, 0, 0]))
        ),
      ]
    }
    let (found, summary) = try only(outputs)
    #expect(summary.hasPrefix("RetinaFace"))
    // The second anchor of cell (1, 0) of stride 16: its centre is (24, 8), its width 128 pixels.
    expect(found, [14.72, 0, 30.72, 16], score: 0.9)
    #expect(abs(found.keypoints[1].x - 36.8) < 1e-3 && abs(found.keypoints[1].y - 8) < 1e-3)
  }

  /// The same numbers in rows of one output, in an order that only the graph shows.
  @Test(arguments: [[4, 10, 2], [4, 2, 10], [2, 4, 10]])
  func retinaFaceInOneOutput(columns: [Int]) throws {
    let (count, place) = (2 * (16 + 4 + 1), 2 * 16 + 3)
    let parts: [Int: Output] = [
      4: .linear(
        [1, count, 4],
        Self.rows(count, [0, 0, 0, 0], at: place, [-0.1, 0, -10.397208, -10.397208])),
      2: .softmax([1, count, 2], Self.rows(count, [9, 0], at: place, [0, 2.1972246])),
      10: .linear(
        [1, count, 10],
        Self.rows(
          count, [Float](repeating: 0, count: 10), at: place, [0, 0, 1, 0, 0, 0, 0, 0, 0, 0])),
    ]
    let (found, summary) = try only([
      ("Identity", .joined(columns.compactMap { parts[$0] }, axis: 2))
    ])
    #expect(summary.hasPrefix("RetinaFace"))
    expect(found, [14.72, 0, 30.72, 16], score: 0.9)
    #expect(abs(found.keypoints[1].x - 36.8) < 1e-3 && abs(found.keypoints[1].y - 8) < 1e-3)
  }

  @Test(arguments: [false, true])
  func centerFaceHasLogarithmsAndPoints(isPlanar: Bool) throws {
    func map(_ numbers: [Float], usual: [Float]) -> ([Int], [Float]) {
      let rows = Self.rows(64, usual, at: 18, numbers)
      return isPlanar
        ? ([1, numbers.count, 8, 8], Self.planes(rows, numbers.count))
        : ([1, 8, 8, numbers.count], rows)
    }
    let heat = map([2.1972246], usual: [-9])
    let scale = map([0.6931472, 1.0986123], usual: [0, 0])
    let offset = map([0.25, -0.25], usual: [0, 0])
    let points = map(
      [0.5, 0.25, 0, 0, 0, 0, 0, 0, 1, 1], usual: [Float](repeating: 0, count: 10))
    for names in [
      ["Identity", "Identity_1", "Identity_2", "Identity_3"], ["h", "wh", "off", "lm"],
    ] {
      let (found, summary) = try only([
        (names[2], .linear(offset.0, offset.1)), (names[3], .linear(points.0, points.1)),
        (names[0], .sigmoid(heat.0, heat.1)), (names[1], .linear(scale.0, scale.1)),
      ])
      #expect(summary == "CenterFace maps")
      // Cell (2, 2) of 4 pixels: centre (2 − 0.25 + 0.5, 2 + 0.25 + 0.5), 3 cells wide and 2 high.
      expect(found, [3, 7, 15, 15], score: 0.9)
      #expect(abs(found.keypoints[0].x - 6) < 1e-4 && abs(found.keypoints[0].y - 11) < 1e-4)
      #expect(abs(found.keypoints[4].x - 15) < 1e-4 && abs(found.keypoints[4].y - 15) < 1e-4)
    }
  }
}
