import OcellusImaging

/// Estimates the step that the picture made because the camera moved; it keeps its memory from frame
/// to frame.
struct CameraMotion {
  private struct Match {
    /// From where the object was expected to the detection.
    var step: SIMD2<Double>
    var overlap: Double
  }

  /// Where the objects in sight are expected.
  private var places: [BoundingBox] = []
  /// The detections that are sure enough.
  private var boxes: [BoundingBox] = []
  /// What the objects are taken for.
  private var matches: [Match] = []
  private var horizontal: [Double] = []
  private var vertical: [Double] = []

  /// The step beyond what was expected of the objects; nil where they do not agree on one.
  mutating func estimate(
    tracks: [TrackState], observations: [Observation], options: TrackerOptions
  ) -> SIMD2<Double>? {
    guard let camera = options.camera else { return nil }
    places.removeAll(keepingCapacity: true)
    for track in tracks where track.group == .visible { places.append(track.place) }
    boxes.removeAll(keepingCapacity: true)
    for observation in observations where observation.score >= options.highScore {
      boxes.append(observation.box)
    }
    guard min(places.count, boxes.count) >= camera.minimumObjects else { return nil }
    let still = look(after: .zero)
    let least = camera.minimumShare * Double(places.count)
    if camera.findsJumps, still < least, isUnexpected(tracks), let jump = jump(atLeast: least) {
      _ = look(after: jump)
      return medianStep(of: camera) ?? jump
    }
    return medianStep(of: camera)
  }

  /// Takes each object for the detection that is nearest to it after a step, and returns how much
  /// they overlap in all.
  private mutating func look(after step: SIMD2<Double>) -> Double {
    matches.removeAll(keepingCapacity: true)
    var total = 0.0
    for place in places {
      let moved = place.offset(x: step.x, y: step.y)
      var best = 0.0
      var nearest = -1
      for index in boxes.indices where moved.touches(boxes[index]) {
        let overlap = moved.intersectionOverUnion(boxes[index])
        if overlap > best { (best, nearest) = (overlap, index) }
      }
      guard nearest >= 0 else { continue }
      matches.append(Match(step: boxes[nearest].middle - place.middle, overlap: best))
      total += best
    }
    return total
  }

  /// The step under which objects and detections overlap most, if that is enough.
  private mutating func jump(atLeast least: Double) -> SIMD2<Double>? {
    // The search is cubic, and worth it for as many objects as a camera can tell apart.
    guard places.count * boxes.count <= 10_000 else { return nil }
    var best: (step: SIMD2<Double>, overlap: Double)?
    // Eight objects are enough to come upon a step that half of all objects made.
    for index in stride(from: 0, to: places.count, by: max(1, places.count / 8)) {
      for box in boxes where box.isSimilar(to: places[index]) {
        let step = box.middle - places[index].middle
        let overlap = look(after: step)
        if overlap > best?.overlap ?? least { best = (step, overlap) }
      }
    }
    return best?.step
  }

  /// Whether hardly any detection is where some object is expected, seen in the last frame or not.
  ///
  /// A row of objects that are alike matches itself one place further too, when a few of them go out
  /// of sight and others come back: that is no jump.
  private func isUnexpected(_ tracks: [TrackState]) -> Bool {
    var total = 0.0
    for box in boxes {
      var best = 0.0
      for track in tracks where track.id != nil && track.place.touches(box) {
        best = max(best, track.place.intersectionOverUnion(box))
      }
      total += best
    }
    return total < 0.2 * Double(boxes.count)
  }

  /// The median of the steps from the objects to the detections they are taken for.
  private mutating func medianStep(of camera: CameraCompensation) -> SIMD2<Double>? {
    horizontal.removeAll(keepingCapacity: true)
    vertical.removeAll(keepingCapacity: true)
    for match in matches where match.overlap >= camera.minimumOverlap {
      horizontal.append(match.step.x)
      vertical.append(match.step.y)
    }
    let least = max(camera.minimumObjects, Int(camera.minimumShare * Double(places.count)))
    guard horizontal.count >= least else { return nil }
    return SIMD2(horizontal.significantMedian(), vertical.significantMedian())
  }
}

extension [Double] {
  /// The median, or 0 where it is within twice its standard error, and chance may be all there is.
  ///
  /// The error is that of the median deviation. The array changes.
  fileprivate mutating func significantMedian() -> Double {
    sort()
    let median = (self[count / 2] + self[(count - 1) / 2]) / 2
    for index in indices { self[index] = abs(self[index] - median) }
    sort()
    // 1.4826 makes a standard deviation of it, 1.2533 / √n the error of a median, for normal noise.
    let error = 1.4826 * self[count / 2] * 1.2533 / Double(count).squareRoot()
    return abs(median) > 2 * error ? median : 0
  }
}

extension BoundingBox {
  /// The middle of the box as a vector.
  var middle: SIMD2<Double> { SIMD2((left + right) / 2, (top + bottom) / 2) }

  /// Whether the two may be the same object in successive frames, by their size.
  fileprivate func isSimilar(to other: BoundingBox) -> Bool {
    height < 1.25 * other.height && other.height < 1.25 * height
      && width < 1.5 * other.width && other.width < 1.5 * width
  }
}
