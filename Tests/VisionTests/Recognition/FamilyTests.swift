import OcellusImaging
import OcellusTestSupport
import OcellusVision
import Testing

/// Model families, tested on networks of constants whose one object is decoded by hand.
///
/// Inputs are 32 or 64 pixels square, and pictures have the input's size, which keeps fractions
/// simple.
@Suite struct FamilyTests: FamilyChecks {
  @Test func fastestDetIsNoHeatMap() throws {
    // Cell (1, 0) of 2 by 2: centre at (1 + tanh 0) / 2, half as wide and high as the picture.
    let output = Output.joined(
      [
        .sigmoid([1, 2, 2, 1], Self.rows(4, [-9], at: 1, [2.1972246])),
        .linear([1, 2, 2, 4], Self.rows(4, [0, 0, 0, 0], at: 1, [0, 0.5493061, 0, 0])),
        .softmax([1, 2, 2, 2], Self.rows(4, [0, 0], at: 1, [0, 30])),
      ], axis: 3)
    let (found, summary) = try only([("output", output)])
    #expect(summary == "FastestDet map")
    // tanh 0.549 = 0.5: the centre is 16 to the right and 8 down; 0.9^0.6 = 0.9387.
    expect(found, [8, 0, 24, 16], score: 0.938740, category: 1)
  }

  @Test func yoloNASHasBoxesInPixels() throws {
    let (found, summary) = try only([
      ("boxes", .constant([1, 21, 4], Self.rows(21, [0, 0, 1, 1], at: 5, [4, 8, 20, 30]))),
      ("scores", .sigmoid([1, 21, 2], Self.rows(21, [-9, -9], at: 5, [-9, 2.1972246]))),
    ])
    #expect(summary == "boxes and scores of 21 cells")
    expect(found, [4, 8, 20, 30], score: 0.9, category: 1)
  }

  @Test func detrHasAClassForNothing() throws {
    let numbers: [Float] = [0, 0, -1.0986123, 1.0986123]
    let (found, summary) = try only([
      ("logits", .linear([1, 10, 3], Self.rows(10, [0, 0, 30], at: 3, [0, 30, 0]))),
      ("boxes", .sigmoid([1, 10, 4], Self.rows(10, [0, 0, 0, 0], at: 3, numbers))),
    ])
    #expect(summary == "DETR boxes")
    // The box is centred, a quarter of the picture wide and three quarters high.
    expect(found, [12, 4, 20, 28], score: 1, category: 1)
  }

  @Test func realTimeDETRHasNone() throws {
    let (found, summary) = try only([
      ("boxes", .sigmoid([1, 300, 4], [Float](repeating: 0, count: 1200))),
      (
        "scores", .sigmoid([1, 300, 3], Self.rows(300, [-9, -9, -9], at: 7, [-9, -9, 2.1972246]))
      ),
    ])
    #expect(summary == "RT-DETR boxes")
    expect(found, [8, 8, 24, 24], score: 0.9, category: 2)
  }

  /// (16 + 4 + 1) cells with two anchors each.
  @Test func retinaFaceHasFivePoints() throws {
    // The second anchor of cell (1, 0) of stride 16: its centre is (24, 8), its width 128 pixels.
    let place = 32 + 3
    let box: [Float] = [-0.1, 0, -10.397208, -10.397208]
    let points: [Float] = [0, 0, 1, 0, 0, 0, 0, 0, 0, 0]
    let (found, summary) = try only([
      ("bbox", .constant([1, 42, 4], Self.rows(42, [0, 0, 0, 0], at: place, box))),
      ("conf", .softmax([1, 42, 2], Self.rows(42, [9, 0], at: place, [0, 2.1972246]))),
      (
        "landmarks",
        .constant(
          [1, 42, 10], Self.rows(42, [Float](repeating: 0, count: 10), at: place, points))
      ),
    ])
    #expect(summary.hasPrefix("RetinaFace"))
    // x 24 − 0.1 · 0.1 · 128; e^(−10.397 · 0.2) = 1/8 of 128.
    expect(found, [14.72, 0, 30.72, 16], score: 0.9)
    #expect(found.keypoints.count == 5)
    #expect(abs(found.keypoints[1].x - 36.8) < 1e-3 && abs(found.keypoints[1].y - 8) < 1e-3)
  }

  /// 16 + 4 + 1 + 1 + 1 cells with four anchors each.
  @Test func masksHaveAnchorsOfTheirOwn() throws {
    // The small square anchor of the third layer: 0.16 wide around the centre.
    let numbers: [Float] = [1, 0, 3.4657359, 0]
    let (found, summary) = try only([
      ("loc", .linear([1, 92, 4], Self.rows(92, [0, 0, 0, 0], at: 80, numbers))),
      ("cls", .sigmoid([1, 92, 2], Self.rows(92, [-9, -9], at: 80, [-9, 2.1972246]))),
    ])
    #expect(summary.hasPrefix("faces with and without masks"))
    // x 16 + 0.1 · 5.12, twice 5.12 wide.
    expect(found, [11.392, 13.44, 21.632, 18.56], score: 0.9, category: 1)
  }

  @Test func yuNetMeasuresInCells() throws {
    var outputs: [(String, Output)] = []
    for (stride, cells) in [(8, 16), (16, 4), (32, 1)] {
      let isPlace = stride == 8
      let place = isPlace ? 5 : -1
      let high: [Float] = [0.81]
      outputs += [
        ("cls_\(stride)", .constant([1, cells, 1], Self.rows(cells, [0], at: place, high))),
        ("obj_\(stride)", .constant([1, cells, 1], Self.rows(cells, [0], at: place, [1]))),
        (
          "bbox_\(stride)",
          .constant(
            [1, cells, 4],
            Self.rows(cells, [0, 0, 0, 0], at: place, [0.5, 0.5, 0.6931472, 0]))
        ),
        (
          "kps_\(stride)",
          .constant([1, cells, 10], [Float](repeating: 0.25, count: 10 * cells))
        ),
      ]
    }
    let (found, summary) = try only(outputs)
    #expect(summary == "YuNet faces")
    // Cell (1, 1): the centre is (12, 12), the box two cells wide and one high.
    expect(found, [4, 8, 20, 16], score: 0.9)
    #expect(found.keypoints[0] == PixelPoint(x: 10, y: 10))
  }

  @Test func efficientDetHasNineAnchors() throws {
    let count = (64 + 16 + 4 + 1 + 1) * 9
    // Cell (0, 1) of stride 32, the first shape: three strides wide around (16, 48).
    let place = (64 + 16 + 2) * 9
    let (found, summary) = try only(
      [
        (
          "regression",
          .linear(
            [1, count, 4], Self.rows(count, [0, 0, 0, 0], at: place, [-0.5, 0, 0, -1.0986123]))
        ),
        (
          "classification",
          .sigmoid([1, count, 2], Self.rows(count, [-9, -9], at: place, [2.1972246, -9]))
        ),
      ], side: 64)
    #expect(summary.hasPrefix("EfficientDet"))
    // y 48 − 96/2, 32 pixels wide, 96 high.
    expect(found, [0, -48, 32, 48], score: 0.9)
  }

  @Test func centerNetTakesPeaks() throws {
    var heat = [Float](repeating: -9, count: 64)
    // Two neighbouring peaks: only the higher one is an object.
    (heat[18], heat[19]) = (2.1972246, 2)
    let (found, summary) = try only([
      ("hm", .sigmoid([1, 8, 8, 1], heat)),
      ("wh", .linear([1, 8, 8, 2], [Float](repeating: 3, count: 128))),
      ("reg", .linear([1, 8, 8, 2], [Float](repeating: 0.5, count: 128))),
    ])
    #expect(summary == "CenterNet maps")
    // Cell (2, 2): its centre is at 2.5 cells of 4 pixels, the box 3 cells wide.
    expect(found, [4, 4, 16, 16], score: 0.9)
  }

  /// Of a face, two neighbouring cells report the same.
  @Test func qualcommsFacesHaveCellsOfEightPixels() throws {
    let points = (0..<16).flatMap { _ in (0..<10).map { $0 < 5 ? Float($0) / 2 : -1 } }
    var heat = [Float](repeating: -9, count: 16)
    (heat[5], heat[6]) = (2.1972246, 2.1972246)
    let (found, summary) = try only([
      ("heatmap", .linear([1, 4, 4, 1], heat)),
      ("bbox", .linear([1, 4, 4, 4], [Float](repeating: 1, count: 64))),
      ("landmark", .linear([1, 4, 4, 10], points)),
    ])
    #expect(summary == "Qualcomm's face maps")
    // Cell (1, 1): one cell to every side of (8, 8).
    expect(found, [0, 0, 16, 16], score: 0.9)
    #expect(found.keypoints == (0..<5).map { PixelPoint(x: 8 + 4 * Double($0), y: 0) })
  }

  @Test func picoDetHasDistributions() throws {
    var outputs: [(String, Output)] = []
    for (index, cells) in [16, 4, 1].enumerated() {
      let place = index == 0 ? 5 : -1
      outputs.append(
        (
          "scores\(index)",
          .sigmoid([1, cells, 2], Self.rows(cells, [-9, -9], at: place, [2.1972246, -9]))
        ))
    }
    // Every distribution has its mass at distance 1.
    let sure = (0..<32).map { $0 % 8 == 1 ? Float(60) : 0 }
    for (index, cells) in [16, 4, 1].enumerated() {
      outputs.append(
        ("boxes\(index)", .linear([1, cells, 32], Self.rows(cells, sure, at: -1, []))))
    }
    let (found, summary) = try only(outputs)
    #expect(summary.hasPrefix("PicoDet"))
    expect(found, [4, 4, 20, 20], score: 0.9)
  }

  @Test func yoloV8WithKeypoints() throws {
    let box: [Float] = [16, 16, 8, 16]
    let columns = { (values: [Float], usual: Float) in
      values.flatMap { value in (0..<21).map { $0 == 9 ? value : usual } }
    }
    let output = Output.joined(
      [
        .joined(
          [
            .constant([1, 4, 21], columns(box, 4)), .sigmoid([1, 1, 21], columns([2.1972246], -9)),
          ],
          axis: 1),
        .constant([1, 6, 21], columns([10, 12, 1, 20, 22, 1], 0)),
      ], axis: 1)
    let (found, summary) = try only([("output", output)])
    #expect(summary == "YOLO v8 columns with 2 keypoints")
    expect(found, [12, 8, 20, 24], score: 0.9)
    #expect(found.keypoints == [PixelPoint(x: 10, y: 12), PixelPoint(x: 20, y: 22)])
  }

  @Test func yoloV8WithAngles() throws {
    let columns = { (values: [Float], usual: Float) in
      values.flatMap { value in (0..<21).map { $0 == 9 ? value : usual } }
    }
    let output = Output.joined(
      [
        .joined(
          [
            .constant([1, 4, 21], columns([16, 16, 8, 16], 4)),
            .sigmoid([1, 2, 21], columns([-9, 2.1972246], -9)),
          ], axis: 1),
        .constant([1, 1, 21], columns([.pi / 2], 0)),
      ], axis: 1)
    let (found, summary) = try only([("output", output)])
    #expect(summary == "YOLO v8 columns with angles")
    expect(found, [8, 12, 24, 20], score: 0.9, category: 1)
  }

  @Test func yoloV8WithMasks() throws {
    let columns = { (values: [Float], usual: Float) in
      values.flatMap { value in (0..<21).map { $0 == 9 ? value : usual } }
    }
    let output = Output.joined(
      [
        .constant([1, 4, 21], columns([16, 16, 8, 16], 4)),
        .sigmoid([1, 2, 21], columns([-9, 2.1972246], -9)),
        .constant([1, 3, 21], columns([5, 5, 5], 5)),
      ], axis: 1)
    let (found, summary) = try only([
      ("masks", .constant([1, 8, 8, 3], [Float](repeating: 0, count: 192))), ("output", output),
    ])
    #expect(summary == "YOLO v8 columns with masks")
    expect(found, [12, 8, 20, 24], score: 0.9, category: 1)
  }
}
