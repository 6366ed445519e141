import Foundation
import OcellusImaging
import OcellusModelFile
import OcellusTestSupport
import OcellusVision
import Testing

@Suite struct PoseFinderTests {
  private let picture = Image(uninitialized: .rgb8, size: PixelSize(width: 200, height: 100))

  private func finder(
    _ outputs: [(name: String, output: SyntheticNetwork.Output)],
    _ options: PoseFinder.Options = .init()
  ) throws -> PoseFinder {
    try PoseFinder(
      SyntheticNetwork(input: [1, 64, 64, 3], type: .uint8, outputs).model(), options: options)
  }

  @Test func rowsOfMoveNet() throws {
    var rows = [Float](repeating: 0.5, count: 51)
    rows[9..<12] = [0.25, 0.75, 0.875]  // y, x and score of the fourth point
    let finder = try finder([("pose", .linear([1, 1, 17, 3], rows))])
    #expect(finder.pointCount == 17)
    let pose = try #require(finder.poses(in: picture).first)
    #expect(pose.points[3].name == "left_ear")
    #expect(pose.points[3].position == PixelPoint(x: 150, y: 25))
    #expect(pose.points[3].score == 0.875)
    let part = try finder.poses(
      in: picture, region: BoundingBox(x: 100, y: 50, width: 40, height: 40))
    #expect(part[0].points[3].position == PixelPoint(x: 130, y: 60))
  }

  @Test func bodiesAboveTheThresholdInOrder() throws {
    var rows = [Float](repeating: 0.5, count: 3 * 56)
    for (body, score) in [Float(0.5), 0.9, 0.1].enumerated() { rows[56 * body + 55] = score }
    rows[56 + 1] = 0
    let poses = try finder([("poses", .linear([1, 3, 56], rows))]).poses(in: picture)
    #expect(poses.map(\.score) == [0.9, 0.5])
    #expect(poses[0].points[0].position == PixelPoint(x: 0, y: 50))
  }

  @Test func listsInPixelsWithPresence() throws {
    let list = (0..<63).map { Float($0 % 3 == 0 ? 16 : 32) }
    for (presence, count) in [(Float(4), 1), (-4, 0)] {
      let poses = try finder([
        ("hand", .linear([1, 63], list)), ("flag", .sigmoid([1, 1], [presence])),
      ]).poses(in: picture)
      #expect(poses.count == count)
      guard let pose = poses.first else { continue }
      #expect(pose.points.map(\.name).prefix(2) == ["wrist", "thumb_1"])
      #expect(pose.points[20].position == PixelPoint(x: 50, y: 50))
    }
  }

  @Test func listsThatNobodyKnowsAreAsTheCallerSays() throws {
    let list = [Float](repeating: 0.5, count: 12)
    #expect(throws: VisionError.self) { try self.finder([("output", .linear([1, 12], list))]) }
    let finder = try finder(
      [("output", .linear([1, 12], list))], .init(numbersPerPoint: 2))
    #expect(finder.pointCount == 6)
    #expect(try finder.poses(in: picture)[0].points[5].position == PixelPoint(x: 100, y: 50))
    #expect(throws: VisionError.self) {
      try self.finder([("output", .linear([1, 12], list))], .init(numbersPerPoint: 1))
    }
  }

  /// PoseNet's heat maps: cells span from edge to edge, and offsets are in input pixels, y before
  /// x.
  @Test func mapsWithOffsets() throws {
    var maps = [Float](repeating: -2, count: 5 * 5 * 17)
    var offsets = [Float](repeating: 0, count: 5 * 5 * 34)
    maps[(1 * 5 + 3) * 17 + 16] = 3
    offsets[(1 * 5 + 3) * 34 + 16] = 8
    offsets[(1 * 5 + 3) * 34 + 33] = -16
    let finder = try finder(
      [("heatmaps", .linear([1, 5, 5, 17], maps)), ("offsets", .linear([1, 5, 5, 34], offsets))],
      .init(scoreThreshold: 0))
    let point = try #require(finder.poses(in: picture).first?.points[16])
    #expect(point.position == PixelPoint(x: (0.75 - 0.25) * 200, y: (0.25 + 0.125) * 100))
    #expect(abs(try #require(point.score) - 0.9525741) < 1e-6)
  }

  /// Two people one above the other: vectors point from the neck to the shoulders and to the nose.
  @Test func bodiesOfOpenPose() throws {
    let (side, channels) = (8, 57)
    var maps = [Float](repeating: 0, count: side * side * channels)
    func set(_ row: Int, _ column: Int, _ channel: Int, _ value: Float) {
      maps[(row * side + column) * channels + channel] = value
    }
    for (top, score) in [(0, Float(0.8)), (4, 0.9)] {
      let (neck, nose) = (top + 2, top)
      for (point, column) in [(1, 2), (2, 0), (5, 4)] { set(neck, column, point, score) }
      set(nose, 2, 0, score)
      for column in 0...2 { set(neck, column, 19 + 12, -1) }
      for column in 2...4 { set(neck, column, 19 + 20, 1) }
      for row in nose...neck { set(row, 2, 19 + 28 + 1, -1) }
    }
    let finder = try finder([("Openpose/concat", .linear([1, side, side, channels], maps))])
    #expect(finder.pointCount == 18)
    let poses = try finder.poses(in: picture)
    try #require(poses.count == 2)
    for (pose, row) in zip(poses, [6.5, 2.5]) {
      #expect(pose.points[1].name == "neck")
      #expect(pose.points[1].position == PixelPoint(x: 2.5 / 8 * 200, y: row / 8 * 100))
      #expect(pose.points[0].position == PixelPoint(x: 2.5 / 8 * 200, y: (row - 2) / 8 * 100))
      #expect(pose.points[5].position == PixelPoint(x: 4.5 / 8 * 200, y: row / 8 * 100))
      #expect(pose.points.count { $0.score == 0 } == 14)
    }
    #expect(poses.map { $0.score.map { Int(($0 * 10).rounded()) } } == [9, 8])
  }

  /// Outputs in another order are recognized by the names that TensorFlow gave them.
  @Test func pointsInThePictureComeBeforeThoseInSpace() throws {
    let inSpace = (0..<63).map { Float($0 % 2 == 0 ? 0.05 : -0.05) }
    let inPicture = [Float](repeating: 16, count: 63)
    let outputs: [(String, SyntheticNetwork.Output)] = [
      ("Identity_2:0", .sigmoid([1, 1], [-4])), ("Identity_3:0", .linear([1, 63], inSpace)),
      ("Identity_1:0", .sigmoid([1, 1], [4])), ("Identity:0", .linear([1, 63], inPicture)),
    ]
    let pose = try #require(finder(outputs).poses(in: picture).first)
    #expect(pose.points[0].position == PixelPoint(x: 50, y: 25))
    #expect(abs(try #require(pose.score) - 0.982014) < 1e-6)
    // If the option selects the points in space, an error says that they are outside the picture.
    let other = try finder(outputs, .init(output: 1))
    let error = #expect(throws: VisionError.self) { try other.poses(in: picture) }
    #expect(error?.description.hasPrefix("implausible: 21 of 21 points are outside") == true)
    #expect(throws: VisionError.self) { try self.finder(outputs, .init(output: 4)) }
  }

  @Test func anIrisBelongsToItsEye() throws {
    let finder = try finder([
      ("eye", .linear([1, 213], [Float](repeating: 32, count: 213))),
      ("iris", .linear([1, 15], [Float](repeating: 16, count: 15))),
    ])
    #expect(finder.pointCount == 76)
    let points = try finder.poses(in: picture)[0].points
    #expect(points[70].position == PixelPoint(x: 100, y: 50))
    #expect(points[71].position == PixelPoint(x: 50, y: 25))
  }

  /// Three numbers per point may be y, x and score, or x, y and z: an implausible reading is an
  /// error.
  @Test func depthIsNoScore() throws {
    let rows = SyntheticNetwork.Output.linear(
      [1, 21, 3], (0..<63).map { $0 % 3 == 2 ? -0.4 : Float($0 % 3) / 4 })
    let error = #expect(throws: VisionError.self) {
      try finder([("hand", rows)]).poses(in: picture)
    }
    #expect(error?.description.contains("--numbers 3") == true)
    let pose = try finder([("hand", rows)], .init(numbersPerPoint: 3)).poses(in: picture)[0]
    #expect(pose.points[20].position == PixelPoint(x: 0, y: 25))
    #expect(pose.points[20].score == nil)
  }

  @Test func heightsThatAreNoProbabilitiesAreNoScores() throws {
    var maps = [Float](repeating: -7, count: 8 * 8 * 14)
    maps[(2 * 8 + 4) * 14] = 6
    let finder = try finder([("output", .linear([1, 8, 8, 14], maps))])
    #expect(finder.explanation.warnings.count == 1)
    let pose = try finder.poses(in: picture)[0]
    #expect(pose.score == nil)
    #expect(pose.points[0] == Pose.Point(position: PixelPoint(x: 112.5, y: 31.25)))
    let named = try self.finder([("heatmap", .linear([1, 8, 8, 14], maps))])
    #expect(named.explanation.warnings.isEmpty)
  }

  @Test func classesOfPixelsAreNoJoints() throws {
    let error = #expect(throws: VisionError.self) {
      try finder([("map", .softmax([1, 8, 8, 21], [Float](repeating: 0, count: 8 * 8 * 21)))])
    }
    #expect(error?.description.contains("heat map of centres (FOMO)") == true)
  }

  @Test func classifiersAreRefused() throws {
    let error = #expect(throws: VisionError.self) {
      try finder([("scores", .softmax([1, 63], [Float](repeating: 0, count: 63)))])
    }
    #expect(error?.description.contains("`label`") == true)
  }

  @Test func numbersThatAreNoneAreAnError() throws {
    let finder = try finder([("pose", .linear([1, 17, 3], [Float](repeating: .nan, count: 51)))])
    #expect(throws: VisionError.self) { try finder.poses(in: picture) }
  }
}

/// Points equal those of the official reference kernels, on pictures resized by Pillow, decoded by
/// hand.
@Suite(.enabled(if: SharedFiles.arePresent, "\(SharedFiles.missing)"))
struct ZooPoseTests {
  private func points(
    _ model: String, _ photo: String, _ input: PictureInput.Options = .init(),
    region: BoundingBox? = nil
  ) throws -> [Pose.Point] {
    let zoo = SharedFiles.folder.path + "/zoo"
    let finder = try PoseFinder(path: "\(zoo)/models/\(model).tflite", options: .init(input: input))
    let image = try Image(contentsOf: "\(zoo)/images/photos/\(photo).jpg")
    return try #require(finder.poses(in: image, region: region).first).points
  }

  private func expect(
    _ point: Pose.Point, x: Double, y: Double, within distance: Double = 0.02
  ) {
    #expect(abs(point.position.x - x) <= distance)
    #expect(abs(point.position.y - y) <= distance)
  }

  @Test func jointsOfMoveNet() throws {
    let points = try points("movenet_single_pose_lightning_ptq", "nxp_pose")
    let expected: [(Int, Double, Double, Float)] = [
      (0, 380.19, 95.07, 0.7538), (5, 481.79, 127.54, 0.8440), (9, 324.47, 160.00, 0.2991),
      (15, 508.01, 477.68, 0.9054), (16, 363.80, 433.62, 0.8440),
    ]
    for (index, x, y, score) in expected {
      expect(points[index], x: x, y: y)
      #expect(abs(try #require(points[index].score) - score) < 1e-3)
    }
  }

  @Test func landmarksOfAFace() throws {
    let points = try points(
      "face_landmark", "face", .init(normalization: .unit),
      region: BoundingBox(x: 220, y: 15, width: 190, height: 190))
    #expect(points.count == 468)
    for (index, x, y) in [
      (0, 303.14, 138.41), (1, 300.38, 127.36), (33, 270.11, 100.62), (263, 331.06, 96.03),
      (467, 331.80, 94.29),
    ] {
      expect(points[index], x: x, y: y, within: 0.1)
    }
  }

  @Test func jointsOnHeatMaps() throws {
    let points = try points(
      "hourglass_pose", "nxp_pose", .init(normalization: PictureTensor.Normalization.none))
    let cells: [(Int, Int, Float)] = [
      (24, 4, 0.5057), (24, 10, 0.5201), (20, 12, 0.5209), (16, 14, 0.2958), (10, 14, 0.1282),
      (28, 12, 0.5994),
    ]
    for (point, (column, row, score)) in zip(points, cells) {
      expect(point, x: (Double(column) + 0.5) / 48 * 800, y: (Double(row) + 0.5) / 48 * 566)
      #expect(abs(try #require(point.score) - score) < 1e-3)
    }
  }
}
