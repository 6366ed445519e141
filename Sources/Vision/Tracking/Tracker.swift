public import OcellusImaging

/// Tracks objects from picture to picture: it gives detections persistent identities.
///
/// A tracker works online, on the boxes and times of any detector; it needs no pictures. It is a
/// value type: copies are independent.
public struct Tracker: Sendable {
  /// The options; changes take effect in the next frame.
  public var options: TrackerOptions
  /// The objects observed in the last frame, in the order of the detections.
  public private(set) var tracks: [Track] = []

  private(set) var states: [TrackState] = []
  private var observations: [Observation] = []
  private var association = Association()
  private var camera = CameraMotion()
  private var movementTendency = MovementTendency()
  private var newTrackReliability = NewTrackReliability()
  private var stateOfObservation: [Int] = []
  private var frameCount = 0
  private var lastID = 0
  private(set) var lastTime: Duration?
  private var seconds = 0.0

  /// Creates a tracker without history.
  ///
  /// Without options, every detection with a score of at least 0.25 may start a track, as detectors
  /// drop uncertain objects themselves. The presets of ``TrackerOptions`` expect unfiltered
  /// detections and are stricter: for them, an object whose score never reaches `newTrackScore`,
  /// mostly 0.7, does not exist.
  public init(_ options: TrackerOptions = .forDetectors) {
    self.options = options
  }

  /// Updates the tracker with the detections of a picture.
  ///
  /// Boxes that are empty, not finite, or farther than ten million pixels away are ignored, as are
  /// detections with a score under `TrackerOptions.lowScore`. A detection starts a track only with
  /// `TrackerOptions.newTrackScore`. Pictures without detections should be
  /// passed, too, so that tracks are confirmed and dropped in time. Times may have any origin;
  /// successive times may be equal.
  /// - Returns: The objects observed in the picture, in the order of the detections.
  /// - Throws: `TrackingError.timeWentBackwards`; the tracker is then unchanged.
  @discardableResult
  public mutating func update(
    _ detections: [Detection], at time: Duration
  ) throws(TrackingError) -> [Track] {
    try checkTime(time)
    observations.removeAll(keepingCapacity: true)
    for (index, detection) in detections.enumerated() {
      observe(
        detection.box, score: detection.score, category: detection.categories.first?.index,
        index: index)
    }
    advance(to: time)
    for index in tracks.indices {
      tracks[index].category = detections[tracks[index].detectionIndex].categories.first
    }
    return tracks
  }

  /// Updates the tracker with boxes and scores, without the need for `Detection` values.
  ///
  /// Otherwise it behaves like `update(_:at:)`.
  /// - Returns: The objects observed in the picture, in the order of the boxes.
  /// - Throws: `TrackingError.timeWentBackwards` or `TrackingError.countsDiffer`.
  @discardableResult
  public mutating func update(
    boxes: [BoundingBox], scores: [Float], at time: Duration
  ) throws(TrackingError) -> [Track] {
    guard boxes.count == scores.count else {
      throw .countsDiffer(boxes: boxes.count, scores: scores.count)
    }
    try checkTime(time)
    observations.removeAll(keepingCapacity: true)
    for index in boxes.indices {
      observe(boxes[index], score: scores[index], category: nil, index: index)
    }
    advance(to: time)
    return tracks
  }

  /// Updates the tracker, and returns the observed detections with their tracks' boxes and identities.
  mutating func follow(
    _ detections: [Detection], at time: Duration
  ) throws(VisionError) -> [Detection] {
    do throws(TrackingError) { try update(detections, at: time) } catch { throw .tracking(error) }
    return tracks.map { track in
      var detection = detections[track.detectionIndex]
      detection.box = track.box
      detection.trackingID = track.id
      return detection
    }
  }

  /// Forgets all objects; identities start from 1 again, and the next frame may have any time.
  public mutating func reset() {
    self = Tracker(options)
  }

  private func checkTime(_ time: Duration) throws(TrackingError) {
    if let lastTime, time < lastTime {
      throw .timeWentBackwards(from: lastTime, to: time)
    }
  }

  private mutating func observe(
    _ box: BoundingBox, score: Float, category: Int?, index: Int
  ) {
    // The limit is far beyond any picture, yet keeps areas and variances finite.
    let limit = 1e7
    let isSound =
      box.left > -limit && box.top > -limit && box.right < limit && box.bottom < limit
      && box.width > 1e-6 && box.height > 1e-6
    // Comparisons with NaN are false.
    guard isSound, score >= options.lowScore, score < .infinity else { return }
    observations.append(Observation(box: box, score: score, category: category, index: index))
  }

  private mutating func advance(to time: Duration) {
    let now = time / .seconds(1)
    let step = lastTime == nil ? 0 : now - seconds
    lastTime = time
    seconds = now
    frameCount += 1
    predict(step / options.motion.unitSeconds)
    compensateCamera(after: step / options.motion.unitSeconds)
    association.begin(tracks: states.count, observations: observations.count)
    for stage in options.stages where movementTendency.isStaying || !stage.isForStayingObjects {
      association.run(stage, tracks: states, observations: observations, at: now, options: options)
    }
    observeMatches(at: now)
    dropLost(at: now)
    startTracks(at: now)
    dropDuplicates()
    report(at: now)
  }

  private mutating func predict(_ units: Double) {
    for index in states.indices where states[index].id != nil || !options.dropsTentativeTracks {
      states[index].filter.predict(
        units, model: options.motion, isLost: states[index].missedFrames > 0)
      states[index].predictedBox = states[index].filter.box(model: options.motion)
    }
  }

  private mutating func compensateCamera(after units: Double) {
    guard
      let step = camera.estimate(tracks: states, observations: observations, options: options)
    else { return }
    let share = options.camera?.persistence ?? 0
    // For frames taken almost at once, the time is bounded, as it would give an impossible
    // velocity.
    let velocity = units > 0 ? share / max(units, 0.25) * step : .zero
    for index in states.indices { states[index].shift(by: step, velocity: velocity) }
  }

  private mutating func observeMatches(at time: Double) {
    let notesCourse = options.stages.contains { $0.directionWeight > 0 }
    for index in states.indices {
      let match = association.observationOfTrack[index]
      states[index].observation = match
      if states[index].isNew { newTrackReliability.learn(isSeenAgain: match != Matching.none) }
      if match == Matching.none {
        states[index].missedFrames += 1
        states[index].hits = 0
      } else {
        states[index].observe(
          observations[match], at: time, options: options, notesCourse: notesCourse)
        movementTendency.watch(&states[index], at: time, unit: options.motion.unitSeconds)
        confirm(index)
      }
    }
  }

  /// Gives an identity to an object that was observed often enough.
  private mutating func confirm(_ index: Int) {
    guard states[index].id == nil,
      states[index].hits >= options.confirmationHits || frameCount <= options.confirmationHits
        || options.trustsNewObjects && newTrackReliability.isReliable
    else { return }
    lastID += 1
    states[index].id = lastID
  }

  private mutating func dropLost(at time: Double) {
    let lifetime = options.lifetime / .seconds(1) + 1e-6
    let options = options
    states.removeAll { state in
      guard state.missedFrames > 0 else { return false }
      if state.id == nil, options.dropsTentativeTracks { return true }
      return time - state.lastTime > lifetime && state.missedFrames > options.minimumLostFrames
    }
  }

  private mutating func startTracks(at time: Double) {
    for index in observations.indices
    where association.trackOfObservation[index] == Matching.none
      && observations[index].score >= options.newTrackScore
    {
      states.append(TrackState(observations[index], at: time, model: options.motion))
      states[states.count - 1].observation = index
      confirm(states.count - 1)
    }
  }

  /// Drops the younger of a visible and a lost track at the same position.
  private mutating func dropDuplicates() {
    guard options.duplicateOverlap <= 1 else { return }
    let options = options
    for lost in states.indices where states[lost].group == .lost {
      let lostBox = states[lost].filter.box(model: options.motion)
      for visible in states.indices where states[visible].missedFrames == 0 {
        let other = states[visible].filter.box(model: options.motion)
        guard lostBox.intersectionOverUnion(other) > options.duplicateOverlap else { continue }
        let visibleAge = states[visible].lastTime - states[visible].firstTime
        let lostAge = states[lost].lastTime - states[lost].firstTime
        states[visibleAge > lostAge ? lost : visible].isDuplicate = true
      }
    }
    states.removeAll { $0.isDuplicate }
  }

  private mutating func report(at time: Double) {
    tracks.removeAll(keepingCapacity: true)
    let unitsPerSecond = 1 / options.motion.unitSeconds
    stateOfObservation.refill(with: Matching.none, count: observations.count)
    for index in states.indices where states[index].observation != Matching.none {
      stateOfObservation[states[index].observation] = index
    }
    for (match, observation) in zip(stateOfObservation, observations) {
      guard match != Matching.none else { continue }
      let state = states[match]
      if options.confirmsAgain, state.hits < options.confirmationHits,
        frameCount > options.confirmationHits, state.id != nil
      {
        continue
      }
      let velocity = state.filter.velocity * unitsPerSecond
      tracks.append(
        Track(
          id: state.id,
          box: options.reportsFilteredBox
            ? state.filter.box(model: options.motion) : observation.box,
          velocity: PixelVelocity(x: velocity.x, y: velocity.y), score: observation.score,
          age: .roundedSeconds(min(time - state.firstTime, Track.longestAge)),
          detectionIndex: observation.index))
    }
  }
}
