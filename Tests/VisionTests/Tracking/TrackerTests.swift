import OcellusImaging
import OcellusTestSupport
import OcellusVision
import Testing

private let presets: [(name: String, options: TrackerOptions)] = [
  ("default", .default), ("sort", .sort), ("bytetrack", .byteTrack), ("ocsort", .ocSort),
]

@Suite struct TrackerTests {
  private let box = BoundingBox(x: 100, y: 100, width: 50, height: 100)

  /// Tracks boxes with score 0.9 at 30 frames a second and returns the identities of each frame.
  private func identities(
    _ frames: [[BoundingBox]], options: TrackerOptions = .default
  ) throws -> [[Int?]] {
    var tracker = Tracker(options)
    return try frames.enumerated().map { index, boxes in
      try tracker.update(
        boxes: boxes, scores: boxes.map { _ in 0.9 }, at: .seconds(index) / 30
      ).map(\.id)
    }
  }

  @Test(arguments: presets.indices)
  func identitiesAreDenseAndComeWithConfirmation(preset: Int) throws {
    let options = presets[preset].options
    let other = box.offset(x: 300, y: 0)
    // A ghost in one frame gets no identity; the later object gets the next one.
    let frames =
      Array(repeating: [box], count: 6) + [[box, other.offset(x: 300, y: 0)]]
      + Array(repeating: [box, other], count: 8)
    let ids = try identities(frames, options: options)
    #expect(ids.allSatisfy { $0.first == 1 })
    #expect(ids[6] == [1, nil])
    let firstOther = 7
    for frame in 0..<options.confirmationHits { #expect(ids[firstOther + frame] == [1, nil]) }
    #expect(ids[firstOther + options.confirmationHits] == [1, 2])
    #expect(ids.last == [1, 2])
  }

  /// An identity survives a gap up to the lifetime; after a longer gap the object gets a new one.
  @Test(arguments: [1, 20, 29, 31, 45])
  func identitiesAreKeptForTheLifetime(gap: Int) throws {
    var options = TrackerOptions.default
    options.lifetime = .seconds(1)
    let seen = Array(repeating: [box], count: 10)
    let frames = seen + Array(repeating: [], count: gap) + seen
    let ids = try identities(frames, options: options)
    #expect(ids.last == [gap + 1 <= 30 ? 1 : 2])
  }

  /// The lifetime is in seconds: at any frame rate a gap of the same duration has the same effect.
  @Test(arguments: [30, 15, 5])
  func lifetimeIsInSeconds(rate: Int) throws {
    for (gap, expected) in [(1.6, 1), (2.6, 2)] {
      var tracker = Tracker()
      var last: Int?
      for frame in 0..<(8 * rate) {
        let seconds = Double(frame) / Double(rate)
        let isSeen = seconds < 2 || seconds >= 2 + gap
        let tracks = try tracker.update(
          boxes: isSeen ? [box] : [], scores: isSeen ? [0.9] : [], at: .seconds(seconds))
        last = tracks.first?.id ?? last
      }
      #expect(last == expected)
    }
  }

  @Test func timeGoingBackwardsIsAnErrorAndTheNextGoodFrameWorks() throws {
    var tracker = Tracker()
    for frame in 0..<3 {
      try tracker.update(boxes: [box], scores: [0.9], at: .milliseconds(frame * 40))
    }
    #expect(throws: TrackingError.timeWentBackwards(from: .milliseconds(80), to: .zero)) {
      try tracker.update(boxes: [], scores: [], at: .zero)
    }
    #expect(tracker.tracks.map(\.id) == [1])
    // A repeated time is allowed.
    #expect(
      try tracker.update(boxes: [box], scores: [0.9], at: .milliseconds(80)).map(\.id) == [1])
    #expect(
      try tracker.update(boxes: [box], scores: [0.9], at: .milliseconds(120)).map(\.id) == [1])
  }

  @Test func resetForgetsObjectsAndTime() throws {
    var tracker = Tracker()
    try tracker.update(boxes: [box], scores: [0.9], at: .seconds(10))
    tracker.reset()
    #expect(tracker.tracks.isEmpty)
    let far = box.offset(x: 500, y: 0)
    #expect(try tracker.update(boxes: [far], scores: [0.9], at: .zero).map(\.id) == [1])
  }

  @Test(arguments: presets.indices)
  func unsoundBoxesAreIgnored(preset: Int) throws {
    var tracker = Tracker(presets[preset].options)
    let unsound = [
      BoundingBox(left: .nan, top: 0, right: 1, bottom: 1),
      BoundingBox(left: 0, top: 0, right: .infinity, bottom: 1),
      BoundingBox(left: -.infinity, top: -.infinity, right: .infinity, bottom: .infinity),
      BoundingBox(left: 5, top: 5, right: 5, bottom: 9),
      BoundingBox(left: 9, top: 5, right: 5, bottom: 9),
      BoundingBox(left: -1e300, top: 0, right: 1e300, bottom: 1),
      box, box,
    ]
    let scores: [Float] = [0.9, 0.9, 0.9, 0.9, 0.9, 0.9, .nan, .infinity]
    for frame in 0..<20 {
      let tracks = try tracker.update(
        boxes: unsound + [box], scores: scores + [0.9], at: .milliseconds(33 * frame))
      #expect(tracks.map(\.detectionIndex) == [8])
    }
    #expect(tracker.tracks.map(\.id) == [1])
  }

  /// Boxes of the smallest and largest sizes, long times and empty frames give finite numbers, no
  /// trap.
  @Test(arguments: presets.indices)
  func extremeBoxesAndTimesAreFollowed(preset: Int) throws {
    var tracker = Tracker(presets[preset].options)
    let extremes = [
      BoundingBox(x: 0, y: 0, width: 1e-5, height: 9e6),
      BoundingBox(x: -9e6, y: -9e6, width: 1.8e7, height: 1e-5),
      BoundingBox(x: 3, y: 3, width: 1e-5, height: 1e-5),
    ]
    for time in [0, 0, 1, 1e6, 1e6 + 1, 1e15, 1e18] {
      let tracks = try tracker.update(
        boxes: extremes, scores: [1, 1, 1], at: .seconds(time))
      #expect(tracks.allSatisfy { $0.velocity.x.isFinite && $0.velocity.y.isFinite })
      #expect(tracks.allSatisfy { $0.box.width.isFinite && $0.box.height.isFinite })
    }
  }

  @Test func boxesAndScoresMustBeAsMany() {
    var tracker = Tracker()
    #expect(throws: TrackingError.countsDiffer(boxes: 1, scores: 2)) {
      try tracker.update(boxes: [box], scores: [1, 1], at: .zero)
    }
  }

  @Test func tracksSayWhatIsKnownAboutTheObject() throws {
    var tracker = Tracker()
    for frame in 0...30 {
      try tracker.update(
        [
          Detection(box: box, categories: [], score: 0.05),
          Detection(
            box: box.offset(x: 2 * Double(frame), y: -Double(frame)),
            categories: [Category(index: 3, label: "cat", score: 0.75)]),
        ], at: .seconds(frame) / 30)
    }
    let track = try #require(tracker.tracks.first)
    #expect(tracker.tracks.count == 1)
    #expect(track.isConfirmed)
    #expect(track.box.intersectionOverUnion(box.offset(x: 60, y: -30)) > 0.98)
    #expect(track.category == Category(index: 3, label: "cat", score: 0.75))
    #expect(track.score == 0.75)
    #expect(track.detectionIndex == 1)
    #expect(abs(track.age / .seconds(1) - 1) < 1e-9)
    #expect(abs(track.velocity.x - 60) < 3)
    #expect(abs(track.velocity.y + 30) < 3)
  }

  /// A track takes a detection of another category only if no better one exists, or never.
  @Test func categoriesKeepObjectsApart() throws {
    func detection(_ x: Double, category: Int) -> Detection {
      Detection(
        box: box.offset(x: x, y: 0), categories: [Category(index: category, score: 0.9)])
    }
    var tracker = Tracker()
    try tracker.update([detection(0, category: 1)], at: .zero)
    let tracks = try tracker.update(
      [detection(2, category: 2), detection(8, category: 1)], at: .seconds(1) / 30)
    #expect(tracks.map(\.id) == [nil, 1])
    #expect(
      try tracker.update([detection(8, category: 2)], at: .seconds(2) / 30).map(\.id) == [1])

    tracker.options.otherCategoryFactor = 0
    #expect(
      try tracker.update([detection(8, category: 1)], at: .seconds(3) / 30).map(\.id) == [nil])
  }

  /// Two objects that pass each other keep their identities, because the motion model predicts
  /// both.
  @Test(arguments: presets.indices)
  func objectsThatPassKeepTheirIdentities(preset: Int) throws {
    let frames = (0..<80).map { frame in
      [
        box.offset(x: 5 * Double(frame), y: 0),
        box.offset(x: 400 - 5 * Double(frame), y: 30),
      ]
    }
    let ids = try identities(frames, options: presets[preset].options)
    #expect(ids.first == [1, 2])
    #expect(ids.last == [1, 2])
  }

  /// A camera jump larger than the objects is compensated, even while one of them is hidden.
  @Test func jumpsOfTheCameraAreCompensated() throws {
    let scene = SyntheticScene.street(count: 6)
    var random = SeededGenerator(seed: 3)
    var frames = (0..<40).map { scene.boxes(at: Double($0) / 30, using: &random) }
    for frame in 20..<40 { frames[frame] = frames[frame].map { $0.offset(x: 150, y: -40) } }
    for frame in 18..<25 { frames[frame].remove(at: 2) }
    #expect(try identities(frames).last == [1, 2, 3, 4, 5, 6])
  }

  /// At every frame rate, with or without missing detections, there are as many identities as
  /// objects.
  @Test(arguments: [30, 15, 5], [0, 0.3])
  func frameRateDoesNotMatter(rate: Int, dropRate: Double) throws {
    var scene = SyntheticScene.street(count: 8)
    scene.dropRate = dropRate
    scene.jitter = 2
    for seed in 0..<10 {
      var random = SeededGenerator(seed: UInt64(seed))
      var tracker = Tracker()
      var identities: Set<Int> = []
      for frame in 0..<(10 * rate) {
        let seconds = Double(frame) / Double(rate)
        let boxes = scene.boxes(at: seconds, using: &random)
        let tracks = try tracker.update(
          boxes: boxes, scores: boxes.map { _ in 0.9 }, at: .seconds(seconds))
        identities.formUnion(tracks.compactMap(\.id))
      }
      #expect(identities == Set(1...8))
    }
  }

  /// A matching round with a longest gap ignores tracks that were lost for longer.
  @Test func roundsMayEndBeforeTheLifetime() throws {
    var options = TrackerOptions.sort
    options.lifetime = .seconds(10)
    options.stages[0].longestGap = .milliseconds(500)
    for (gap, expected) in [(14, 1), (16, 2)] {
      let seen = Array(repeating: [box], count: 5)
      let frames = seen + Array(repeating: [], count: gap) + seen
      #expect(try identities(frames, options: options).last == [expected])
    }
  }

  /// A copy of a tracker is independent: a tracker's state is a value.
  @Test func copiesGoTheirOwnWay() throws {
    var first = Tracker()
    try first.update(boxes: [box], scores: [0.9], at: .zero)
    var second = first
    try first.update(boxes: [], scores: [], at: .seconds(10))
    #expect(try second.update(boxes: [box], scores: [0.9], at: .seconds(1)).map(\.id) == [1])
  }
}
