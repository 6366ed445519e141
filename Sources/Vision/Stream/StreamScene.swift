import OcellusImaging

/// What is known about the objects of a stream: where they are, what they are called, and which of them is
/// followed.
struct StreamScene {
  private(set) var tracker: Tracker
  /// Which object is followed; `nil` where all are.
  private var subject: StreamSubject?
  /// Whether a classifier says what objects are called.
  private let hasNames: Bool
  private var names = NameMemory()
  /// What was found last of each object with an identity.
  private var found: [Int: Detection] = [:]
  /// The objects of the last picture that was searched.
  private var observed: [Detection] = []

  init(_ tracker: TrackerOptions, followsOne: Bool, hasNames: Bool) {
    self.tracker = Tracker(tracker)
    subject = followsOne ? StreamSubject() : nil
    self.hasNames = hasNames
  }

  /// When the last picture that was searched was taken.
  var time: Duration? { tracker.lastTime }

  /// Takes in what was found in a picture.
  mutating func observe(_ detections: [Detection], at time: Duration) throws(VisionError) {
    let tracks: [Track]
    do throws(TrackingError) { tracks = try tracker.update(detections, at: time) } catch {
      throw .tracking(error)
    }
    observed = tracks.map { track in
      var detection = detections[track.detectionIndex]
      detection.box = track.box
      detection.trackingID = track.id
      return detection
    }
    let living = Set(tracker.states.compactMap(\.id))
    found = found.filter { living.contains($0.key) }
    for detection in observed { detection.trackingID.map { found[$0] = detection } }
    // A track that is lost may come back; long after the last sight it does not.
    names.forget(unseenSince: time - tracker.options.lifetime * 2, seen: observed, at: time)
  }

  /// The objects at the time of a picture: as they were found in it, or as they are expected where it was
  /// not searched.
  mutating func detections(at time: Duration, in size: PixelSize) -> [Detection] {
    let expected = tracker.expected(at: time)
    var detections =
      time == self.time ? observed : expected.compactMap { moved($0, in: size) }
    if var subject {
      detections =
        subject.choose(from: detections, expected: expected, in: size).map { [$0] } ?? []
      self.subject = subject
    }
    return detections
  }

  /// What was found last of an object, where it is expected; `nil` for those that were lost from sight or
  /// should have left.
  private func moved(_ track: ExpectedTrack, in size: PixelSize) -> Detection? {
    guard !track.isLost, track.box.isStill(in: size), var detection = found[track.id] else {
      return nil
    }
    let old = detection.box
    detection.keypoints = detection.keypoints.map { $0.carried(from: old, to: track.box) }
    detection.box = track.box.clipped(to: size)
    return detection
  }

  // MARK: Names

  /// The detections with the names that the classifier has given them, as far as there is one.
  func named(_ detections: [Detection]) -> [Detection] {
    guard hasNames else { return detections }
    return detections.map { detection in
      var detection = detection
      detection.categories = detection.trackingID.flatMap { names[$0] } ?? []
      return detection
    }
  }

  /// The objects that a classifier should look at next, as places among the detections.
  func mostUrgent(
    of detections: [Detection], in size: PixelSize, at time: Duration, limit: Int
  ) -> [Int] {
    names.mostUrgent(of: detections, in: size, at: time, limit: limit)
  }

  /// Notes what a classifier said about one of the detections.
  mutating func remember(
    _ categories: [Category], at index: Int, of detections: [Detection], in size: PixelSize,
    at time: Duration
  ) {
    guard let id = detections[index].trackingID else { return }
    names.remember(
      categories, of: detections[index], as: id, among: detections, in: size, at: time)
  }
}

extension PixelPoint {
  /// The point at the same place of another box.
  fileprivate func carried(from old: BoundingBox, to new: BoundingBox) -> PixelPoint {
    PixelPoint(
      x: new.left + (x - old.left) * (old.width > 0 ? new.width / old.width : 1),
      y: new.top + (y - old.top) * (old.height > 0 ? new.height / old.height : 1))
  }
}
