import OcellusImaging
import OcellusTestSupport
import OcellusVision
import Testing

/// The properties of a scene that trackers learn while they follow it.
@Suite struct TrackerAdaptationTests {
  private let box = BoundingBox(x: 100, y: 100, width: 60, height: 160)

  /// Tracks boxes with score 0.9 at 30 frames a second and returns the identities of each frame.
  private func identities(
    _ frames: [[BoundingBox]], options: TrackerOptions
  ) throws -> [[Int?]] {
    var tracker = Tracker(options)
    return try frames.enumerated().map { index, boxes in
      try tracker.update(
        boxes: boxes, scores: boxes.map { _ in 0.9 }, at: .seconds(index) / 30
      ).map(\.id)
    }
  }

  /// Returns frames of five people who sway in place; the third is hidden for one period, in
  /// mid-step.
  private func swayingFrames() -> [[BoundingBox]] {
    (0..<300).map { frame in
      let time = Double(frame) / 30
      return (0..<5).compactMap { index in
        guard index != 2 || frame < 200 || frame > 244 else { return nil }
        let way = 45 * sine(2 * .pi * (time / 1.5 + 0.2 * Double(index - 2)) + 1.0)
        return box.offset(x: 250 * Double(index) + way, y: 0)
      }
    }
  }

  private func sine(_ angle: Double) -> Double {
    // Bhaskara's approximation of the sine is accurate enough here.
    let turn = angle - 2 * .pi * (angle / (2 * .pi)).rounded(.down)
    let half = turn < .pi ? turn : turn - .pi
    let arch = half * (.pi - half)
    return (turn < .pi ? 1 : -1) * 16 * arch / (5 * .pi * .pi - 4 * arch)
  }

  @Test func whoStaysAboutAPlaceIsFoundThereAgain() throws {
    let frames = swayingFrames()
    #expect(try identities(frames, options: .default).last == [1, 2, 3, 4, 5])
    var options = TrackerOptions.default
    options.stages.removeAll(where: \.isForStayingObjects)
    #expect(try identities(frames, options: options).last == [1, 2, 6, 4, 5])
  }

  /// In a walking crowd, a person who appears where another one was lost gets a new identity.
  @Test func whoWalksIsNotLookedForWhereHeWasLost() throws {
    let frames = (0..<150).map { frame in
      (0..<5).compactMap { index in
        if index == 2, frame > 100 {
          return frame < 135 ? nil : box.offset(x: 300, y: 2 * 250)
        }
        return box.offset(x: 3 * Double(min(frame, 100)), y: 250 * Double(index))
          .offset(x: 3 * Double(max(0, frame - 100)), y: 0)
      }
    }
    #expect(try identities(frames, options: .default).last == [1, 2, 6, 4, 5])
    var options = TrackerOptions.default
    for index in options.stages.indices { options.stages[index].isForStayingObjects = false }
    #expect(try identities(frames, options: options).last == [1, 2, 3, 4, 5])
  }

  /// Camera motion is extrapolated through frames without detections.
  @Test func aCameraThatTurnsGoesOnTurning() throws {
    let scene = SyntheticScene.street(count: 6)
    var random = SeededGenerator(seed: 3)
    let frames = (0..<60).map { frame in
      let turn = 20 * Double(max(0, frame - 10))
      let boxes = scene.boxes(at: Double(frame) / 30, using: &random)
      return (40..<46).contains(frame) ? [] : boxes.map { $0.offset(x: turn, y: 0) }
    }
    #expect(try identities(frames, options: .default).last == [1, 2, 3, 4, 5, 6])
    var options = TrackerOptions.default
    options.camera?.persistence = 0
    #expect(try identities(frames, options: options).last != [1, 2, 3, 4, 5, 6])
  }

  /// With a score weight, a track prefers a box of similar score a little farther away.
  @Test(arguments: [(weight: 0.0, place: 0.0), (1, 4)])
  func scoresTellObjectsApart(weight: Double, place: Double) throws {
    var options = TrackerOptions.sort
    options.stages[0].scoreWeight = weight
    var tracker = Tracker(options)
    for frame in 0..<5 {
      try tracker.update(boxes: [box], scores: [0.9], at: .seconds(frame) / 30)
    }
    let tracks = try tracker.update(
      boxes: [box, box.offset(x: 4, y: 0)], scores: [0.6, 0.9], at: .seconds(5) / 30)
    #expect(tracks.first { $0.id == 1 }?.detectionIndex == (place == 0 ? 0 : 1))
  }

  /// Earlier new objects decide whether the next is trusted at once: only if they were seen again.
  @Test(arguments: [(0, 6 as Int?), (4, nil)])
  func newObjectsAreTrustedAsThoseBefore(ghosts: Int, id: Int?) throws {
    func row(_ count: Int) -> [BoundingBox] {
      (0..<count).map { box.offset(x: 200 * Double($0), y: 0) }
    }
    let ghostly = (0..<ghosts).flatMap { index in
      [row(5) + [box.offset(x: 0, y: 300 * Double(index + 1))], row(5)]
    }
    let frames = [row(5), row(5)] + ghostly + [row(6)]
    #expect(try identities(frames, options: .default).last == [1, 2, 3, 4, 5, id])
    var options = TrackerOptions.default
    options.trustsNewObjects = false
    #expect(try identities(frames, options: options).last == [1, 2, 3, 4, 5, nil])
  }

  /// The default tracker's boxes tremble less than the detector's.
  @Test func boxesTrembleLessThanDetections() throws {
    var random = SeededGenerator(seed: 5)
    var tracker = Tracker()
    var (detected, followed) = (0.0, 0.0)
    for frame in 0..<100 {
      let seen = box.offset(
        x: .random(in: -3...3, using: &random), y: .random(in: -6...6, using: &random))
      let tracks = try tracker.update(boxes: [seen], scores: [0.9], at: .seconds(frame) / 30)
      detected += 1 - seen.intersectionOverUnion(box)
      followed += 1 - (tracks.first?.box.intersectionOverUnion(box) ?? 0)
    }
    #expect(followed < 0.8 * detected)
  }
}
