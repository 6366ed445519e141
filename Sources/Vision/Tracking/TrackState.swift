import OcellusImaging

/// What a tracker remembers of one object.
struct TrackState {
  /// Nil until the object is confirmed.
  var id: Int?
  var filter: BoxFilter
  /// The filter right after the last observation, where the gap behind it would be replayed from.
  var filterAtObservation: BoxFilter
  /// Where the object is expected in this frame.
  var place: BoundingBox
  /// The last observation.
  var box: BoundingBox
  /// The scores of the last observations, of which each counts for half as much as the next.
  var usualScore: Double
  var category: Int?
  /// Seconds since the start of the tracker.
  var firstTime: Double
  var lastTime: Double
  /// Observations in frames in a row, behind the first one.
  var hits = 0
  /// Frames since the last observation.
  var missedFrames = 0
  var course: Course
  /// What is to be compared with where it is in a second; nil where not enough is known about it.
  var sample: Habit.Sample?
  /// The number of its observation in this frame, or `Matching.none`.
  var observation = Matching.none
  var isDuplicate = false

  init(_ observation: Observation, at time: Double, model: MotionModel) {
    filter = BoxFilter(observation.box, model: model)
    filterAtObservation = filter
    place = observation.box
    box = observation.box
    usualScore = Double(observation.score)
    category = observation.category
    firstTime = time
    lastTime = time
    course = Course(observation.box, at: time)
  }

  /// Takes an observation of the object in; its course need not be noted where no round looks at directions.
  mutating func observe(
    _ observation: Observation, at time: Double, options: TrackerOptions, notesCourse: Bool
  ) {
    if options.replaysGaps, missedFrames > 0 {
      replayGap(to: observation, at: time, model: options.motion)
    }
    filter.correct(with: observation.box, score: observation.score, model: options.motion)
    filterAtObservation = filter
    if notesCourse {
      course.append(observation.box, at: time, span: options.directionSpan / .seconds(1))
    }
    box = observation.box
    usualScore = (usualScore + Double(observation.score)) / 2
    category = observation.category
    lastTime = time
    hits += 1
    missedFrames = 0
  }

  /// Moves everything that is known about the object, because the camera moved; `velocity` is how much of that
  /// is expected to go on.
  mutating func shift(by step: SIMD2<Double>, velocity: SIMD2<Double>) {
    filter.shift(by: step, velocity: velocity)
    filterAtObservation.shift(by: step, velocity: velocity)
    place = place.offset(x: step.x, y: step.y)
    box = box.offset(x: step.x, y: step.y)
    if let old = sample?.box { sample?.box = old.offset(x: step.x, y: step.y) }
    course.shift(by: step)
  }

  /// Filters the time out of sight anew, as if the object had been seen moving on a straight line.
  private mutating func replayGap(
    to observation: Observation, at time: Double, model: MotionModel
  ) {
    let units = (time - lastTime) / model.unitSeconds
    // Longer gaps are taken in larger steps.
    let steps = max(1, min(30, Int(min(units, 30).rounded())))
    let start = model.coordinates.vector(of: box)
    let end = model.coordinates.vector(of: observation.box)
    filter = filterAtObservation
    for step in 1...steps {
      filter.predict(units / Double(steps), model: model, isLost: false)
      guard step < steps else { break }
      let part = Double(step) / Double(steps)
      filter.correct(
        with: model.coordinates.box(at: start + part * (end - start)), score: observation.score,
        model: model)
    }
  }

  /// Whether it was seen in the last picture for the first time.
  var isNew: Bool { hits == 0 && missedFrames == 0 }

  /// The group of the track in the terms of an association stage.
  var group: AssociationStage.Tracks {
    id == nil ? .tentative : missedFrames == 0 ? .visible : .lost
  }
}

/// A detection that a tracker looks at.
struct Observation {
  var box: BoundingBox
  var score: Float
  var category: Int?
  /// Its position among the detections of the frame.
  var index: Int
}
