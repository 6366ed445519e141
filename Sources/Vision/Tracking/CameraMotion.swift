import OcellusImaging

/// Estimates the step that the picture made because the camera moved; it keeps its memory from frame
/// to frame.
struct CameraMotion {
  /// Where the objects in sight are expected.
  private var places: [BoundingBox] = []
  /// The detections that are sure enough.
  private var boxes: [BoundingBox] = []
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
    let start =
      camera.findsJumps ? jump(of: tracks, minimumShare: camera.minimumShare) : .zero
    return meanStep(from: start, camera: camera) ?? (start == .zero ? nil : start)
  }

  /// The step under which objects and detections overlap most, if they hardly do without it.
  private func jump(of tracks: [TrackState], minimumShare: Double) -> SIMD2<Double> {
    let least = minimumShare * Double(places.count)
    let still = totalOverlap(after: .zero)
    guard still < least, isUnexpected(tracks) else { return .zero }
    var best = (step: SIMD2<Double>.zero, overlap: 0.0)
    // Eight objects are enough to come upon a step that half of all objects made.
    for index in stride(from: 0, to: places.count, by: max(1, places.count / 8)) {
      for box in boxes where box.isSimilar(to: places[index]) {
        let step = box.middle - places[index].middle
        let overlap = totalOverlap(after: step)
        if overlap > best.overlap { best = (step, overlap) }
      }
    }
    return best.overlap >= least ? best.step : .zero
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

  private func totalOverlap(after step: SIMD2<Double>) -> Double {
    places.reduce(0) { sum, place in
      sum + (nearest(to: place.offset(x: step.x, y: step.y))?.overlap ?? 0)
    }
  }

  private func nearest(to place: BoundingBox) -> (box: BoundingBox, overlap: Double)? {
    var best: (box: BoundingBox, overlap: Double)?
    for box in boxes where box.left < place.right && place.left < box.right {
      let overlap = place.intersectionOverUnion(box)
      if overlap > best?.overlap ?? 0 { best = (box, overlap) }
    }
    return best
  }

  /// The median of the steps from the objects to the detections they are taken for.
  private mutating func meanStep(
    from start: SIMD2<Double>, camera: CameraCompensation
  ) -> SIMD2<Double>? {
    horizontal.removeAll(keepingCapacity: true)
    vertical.removeAll(keepingCapacity: true)
    for place in places {
      guard let match = nearest(to: place.offset(x: start.x, y: start.y)),
        match.overlap >= camera.minimumOverlap
      else { continue }
      let step = match.box.middle - place.middle
      horizontal.append(step.x)
      vertical.append(step.y)
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
