import OcellusImaging

/// Estimates the displacement of the picture by camera motion; reuses its buffers.
struct CameraMotion {
  private struct Match {
    /// The displacement from the object's prediction to the detection.
    var step: SIMD2<Double>
    var overlap: Double
  }

  /// The predicted boxes of the visible objects.
  private var predictedBoxes: [BoundingBox] = []
  /// The detections of high score.
  private var boxes: [BoundingBox] = []
  /// The detection matched with each object.
  private var matches: [Match] = []
  private var horizontal: [Double] = []
  private var vertical: [Double] = []

  /// Returns the displacement beyond the predicted motion; `nil` without enough agreement.
  mutating func estimate(
    tracks: [TrackState], observations: [Observation], options: TrackerOptions
  ) -> SIMD2<Double>? {
    guard let camera = options.camera else { return nil }
    predictedBoxes.removeAll(keepingCapacity: true)
    for track in tracks where track.group == .visible { predictedBoxes.append(track.predictedBox) }
    boxes.removeAll(keepingCapacity: true)
    for observation in observations where observation.score >= options.highScore {
      boxes.append(observation.box)
    }
    guard min(predictedBoxes.count, boxes.count) >= camera.minimumObjects else { return nil }
    let still = look(after: .zero)
    let minimumOverlap = camera.minimumShare * Double(predictedBoxes.count)
    if camera.findsJumps, still < minimumOverlap, isUnexpected(tracks),
      let jump = jump(atLeast: minimumOverlap)
    {
      _ = look(after: jump)
      return medianStep(of: camera) ?? jump
    }
    return medianStep(of: camera)
  }

  /// Matches each object with the detection that overlaps it most after a displacement.
  ///
  /// - Returns: The sum of the overlaps.
  private mutating func look(after step: SIMD2<Double>) -> Double {
    matches.removeAll(keepingCapacity: true)
    var total = 0.0
    for predictedBox in predictedBoxes {
      let moved = predictedBox.offset(x: step.x, y: step.y)
      var best = 0.0
      var nearest = -1
      for index in boxes.indices where moved.touches(boxes[index]) {
        let overlap = moved.intersectionOverUnion(boxes[index])
        if overlap > best { (best, nearest) = (overlap, index) }
      }
      guard nearest >= 0 else { continue }
      matches.append(Match(step: boxes[nearest].middle - predictedBox.middle, overlap: best))
      total += best
    }
    return total
  }

  /// Returns the displacement with the largest total overlap, if above `minimumOverlap`.
  private mutating func jump(atLeast minimumOverlap: Double) -> SIMD2<Double>? {
    // The search is cubic, so the number of objects is limited.
    guard predictedBoxes.count * boxes.count <= 10_000 else { return nil }
    var best: (step: SIMD2<Double>, overlap: Double)?
    // Eight objects are enough to find a displacement that half of all objects share.
    for index in stride(from: 0, to: predictedBoxes.count, by: max(1, predictedBoxes.count / 8)) {
      for box in boxes where box.isSimilar(to: predictedBoxes[index]) {
        let step = box.middle - predictedBoxes[index].middle
        let overlap = look(after: step)
        if overlap > best?.overlap ?? minimumOverlap { best = (step, overlap) }
      }
    }
    return best?.step
  }

  /// Whether hardly any detection is where an object is predicted, visible or lost.
  ///
  /// A row of similar objects also matches itself shifted by one when some of them disappear and
  /// others come back; that is no jump.
  private func isUnexpected(_ tracks: [TrackState]) -> Bool {
    var total = 0.0
    for box in boxes {
      var best = 0.0
      for track in tracks where track.id != nil && track.predictedBox.touches(box) {
        best = max(best, track.predictedBox.intersectionOverUnion(box))
      }
      total += best
    }
    return total < 0.2 * Double(boxes.count)
  }

  /// Returns the median of the displacements from the objects to their detections.
  private mutating func medianStep(of camera: CameraCompensation) -> SIMD2<Double>? {
    horizontal.removeAll(keepingCapacity: true)
    vertical.removeAll(keepingCapacity: true)
    for match in matches where match.overlap >= camera.minimumOverlap {
      horizontal.append(match.step.x)
      vertical.append(match.step.y)
    }
    let minimumCount = max(
      camera.minimumObjects, Int(camera.minimumShare * Double(predictedBoxes.count)))
    guard horizontal.count >= minimumCount else { return nil }
    return SIMD2(horizontal.significantMedian(), vertical.significantMedian())
  }
}

extension [Double] {
  /// Returns the median, or 0 if it is within twice its standard error and may be due to chance.
  ///
  /// The error is estimated from the median absolute deviation. The array is modified.
  fileprivate mutating func significantMedian() -> Double {
    sort()
    let median = (self[count / 2] + self[(count - 1) / 2]) / 2
    for index in indices { self[index] = abs(self[index] - median) }
    sort()
    // For normal noise, 1.4826 turns it into a standard deviation, and 1.2533 / √n gives the
    // median's error.
    let error = 1.4826 * self[count / 2] * 1.2533 / Double(count).squareRoot()
    return abs(median) > 2 * error ? median : 0
  }
}

extension BoundingBox {
  /// The centre of the box as a vector.
  var middle: SIMD2<Double> { SIMD2((left + right) / 2, (top + bottom) / 2) }

  /// Whether the two may be the same object in successive frames, judging by their sizes.
  fileprivate func isSimilar(to other: BoundingBox) -> Bool {
    height < 1.25 * other.height && other.height < 1.25 * height
      && width < 1.5 * other.width && other.width < 1.5 * width
  }
}
