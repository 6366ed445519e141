import OcellusImaging

/// The state that a tracker keeps for one object.
struct TrackState {
  /// The identity; `nil` until the object is confirmed.
  var id: Int?
  var filter: BoxFilter
  /// The filter right after the last observation, from which a gap is replayed.
  var filterAtObservation: BoxFilter
  /// The predicted box in this frame.
  var predictedBox: BoundingBox
  /// The last observed box.
  var box: BoundingBox
  /// The exponential average of the observed scores, in which each counts half as much as the next.
  var usualScore: Double
  var category: Int?
  /// The time of the first observation, in seconds.
  var firstTime: Double
  var lastTime: Double
  /// The number of consecutive frames with an observation, without the first one.
  var hits = 0
  /// The number of frames since the last observation.
  var missedFrames = 0
  var recentPath: RecentPath
  /// The sample to compare with the object's box a second later; `nil` until enough is known.
  var sample: MovementTendency.Sample?
  /// The index of the observation in this frame, or `Matching.none`.
  var observation = Matching.none
  var isDuplicate = false

  init(_ observation: Observation, at time: Double, model: MotionModel) {
    filter = BoxFilter(observation.box, model: model)
    filterAtObservation = filter
    predictedBox = observation.box
    box = observation.box
    usualScore = Double(observation.score)
    category = observation.category
    firstTime = time
    lastTime = time
    recentPath = RecentPath(observation.box, at: time)
  }

  /// Updates the object with an observation; the recent path is needed only if a stage uses directions.
  mutating func observe(
    _ observation: Observation, at time: Double, options: TrackerOptions, notesCourse: Bool
  ) {
    if options.replaysGaps, missedFrames > 0 {
      replayGap(to: observation, at: time, model: options.motion)
    }
    filter.correct(with: observation.box, score: observation.score, model: options.motion)
    filterAtObservation = filter
    if notesCourse {
      recentPath.append(observation.box, at: time, span: options.directionSpan / .seconds(1))
    }
    box = observation.box
    usualScore = (usualScore + Double(observation.score)) / 2
    category = observation.category
    lastTime = time
    hits += 1
    missedFrames = 0
  }

  /// Moves the state by the camera's displacement; `velocity` is the part expected to continue.
  mutating func shift(by step: SIMD2<Double>, velocity: SIMD2<Double>) {
    filter.shift(by: step, velocity: velocity)
    filterAtObservation.shift(by: step, velocity: velocity)
    predictedBox = predictedBox.offset(x: step.x, y: step.y)
    box = box.offset(x: step.x, y: step.y)
    if let old = sample?.box { sample?.box = old.offset(x: step.x, y: step.y) }
    recentPath.shift(by: step)
  }

  /// Filters the gap again, as if the object had been observed moving on a straight line.
  private mutating func replayGap(
    to observation: Observation, at time: Double, model: MotionModel
  ) {
    let units = (time - lastTime) / model.unitSeconds
    // Longer gaps are filtered in larger steps.
    let steps = max(1, min(30, Int(min(units, 30).rounded())))
    let start = model.coordinates.vector(of: box)
    let end = model.coordinates.vector(of: observation.box)
    filter = filterAtObservation
    for step in 1...steps {
      filter.predict(units / Double(steps), model: model, isLost: false)
      guard step < steps else { break }
      let share = Double(step) / Double(steps)
      filter.correct(
        with: model.coordinates.box(at: start + share * (end - start)), score: observation.score,
        model: model)
    }
  }

  /// Whether the first observation was in the last frame.
  var isNew: Bool { hits == 0 && missedFrames == 0 }

  /// The group of the track for association stages.
  var group: AssociationStage.Tracks {
    id == nil ? .tentative : missedFrames == 0 ? .visible : .lost
  }
}

/// A detection as the tracker uses it.
struct Observation {
  var box: BoundingBox
  var score: Float
  var category: Int?
  /// The index among the detections of the frame.
  var index: Int
}
