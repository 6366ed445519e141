import OcellusImaging

/// The objects of a stream: their tracks, their names, and the subject.
struct StreamScene {
  private(set) var tracker: Tracker
  /// The single object that is reported; `nil` when all are.
  private var subject: StreamSubject?
  /// Whether a classifier names the objects.
  private let hasNames: Bool
  private var names = LabelCache()
  /// The latest detection of each tracked object, by identity.
  private var found: [Int: Detection] = [:]
  /// The objects of the last picture that was searched.
  private var observed: [Detection] = []

  init(_ tracker: TrackerOptions, followsOne: Bool, hasNames: Bool) {
    self.tracker = Tracker(tracker)
    subject = followsOne ? StreamSubject() : nil
    self.hasNames = hasNames
  }

  /// The time of the last picture that was searched.
  var time: Duration? { tracker.lastTime }

  /// Updates the tracker with the objects found in a picture.
  mutating func observe(_ detections: [Detection], at time: Duration) throws(VisionError) {
    observed = try tracker.follow(detections, at: time)
    let living = Set(tracker.states.compactMap(\.id))
    found = found.filter { living.contains($0.key) }
    for detection in observed { detection.trackingID.map { found[$0] = detection } }
    // A lost track may come back, but not long after it was last seen.
    names.forget(unseenSince: time - tracker.options.lifetime * 2, seen: observed, at: time)
  }

  /// Returns the objects at the time of a picture: detected if it was searched, else predicted.
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

  /// Returns the latest detection of an object, moved to its predicted box.
  ///
  /// `nil` when the object is lost or has probably left the picture.
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

  /// Returns the detections with the names given by the classifier, if there is one.
  func named(_ detections: [Detection]) -> [Detection] {
    guard hasNames else { return detections }
    return detections.map { detection in
      var detection = detection
      detection.categories = detection.trackingID.flatMap { names[$0] } ?? []
      return detection
    }
  }

  /// Returns the indices of the detections that should be classified next.
  func mostUrgent(
    of detections: [Detection], in size: PixelSize, at time: Duration, limit: Int
  ) -> [Int] {
    names.mostUrgent(of: detections, in: size, at: time, limit: limit)
  }

  /// Stores the classifier's answer for one of the detections.
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
  /// Returns the point at the same relative position in another box.
  fileprivate func carried(from old: BoundingBox, to new: BoundingBox) -> PixelPoint {
    PixelPoint(
      x: new.left + (x - old.left) * (old.width > 0 ? new.width / old.width : 1),
      y: new.top + (y - old.top) * (old.height > 0 ? new.height / old.height : 1))
  }
}
