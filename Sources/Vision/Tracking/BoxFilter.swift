package import OcellusImaging

/// The state of one object's box: four Kalman filters, each for one coordinate and its velocity.
package struct BoxFilter {
  /// The coordinates, in the order of the motion model.
  package var position: SIMD4<Double>
  /// The change of the coordinates in one time unit.
  package var velocity: SIMD4<Double> = .zero
  /// The variance of the coordinates.
  private var positionVariance: SIMD4<Double>
  /// The covariance of each coordinate with its velocity.
  private var covariance: SIMD4<Double> = .zero
  /// The variance of the velocities.
  private var velocityVariance: SIMD4<Double>

  /// Creates the state after a first observation.
  package init(_ box: BoundingBox, model: MotionModel) {
    position = model.coordinates.vector(of: box)
    let scale = model.coordinates.scale(at: position)
    positionVariance = model.initialPositionNoise.variance(scale: scale)
    velocityVariance = model.initialVelocityNoise.variance(scale: scale)
  }

  /// Advances the state by `time` units.
  package mutating func predict(_ time: Double, model: MotionModel, isLost: Bool) {
    guard time > 0 else { return }
    let scale = model.coordinates.scale(at: position)
    if isLost, model.keepsSizeOfLostTracks { velocity.replace(with: 0, where: sizeLanes) }
    // An object does not shrink to nothing: like SORT, stop a size that would become negative.
    let next = position + time * velocity
    velocity.replace(with: 0, where: sizeLanes .& (next .<= 0))
    position += time * velocity

    let positionNoise = model.positionNoise.variance(scale: scale)
    let velocityNoise = model.velocityNoise.variance(scale: scale)
    // For whole numbers, these polynomials equal the sum over as many steps of one unit. Below one
    // unit the last of them would be negative.
    let steps = max(0, time * (time - 1) / 2)
    let squares = max(0, time * (time - 1) * (2 * time - 1) / 6)
    let drift = 2 * covariance + time * velocityVariance + positionNoise
    positionVariance += time * drift + squares * velocityNoise
    covariance += time * velocityVariance + steps * velocityNoise
    velocityVariance += time * velocityNoise
  }

  /// Moves the centre and changes its velocity.
  package mutating func shift(by step: SIMD2<Double>, velocity change: SIMD2<Double>) {
    position.lowHalf += step
    velocity.lowHalf += change
  }

  /// Updates the state with an observation.
  package mutating func correct(with box: BoundingBox, score: Float, model: MotionModel) {
    let scale = model.coordinates.scale(at: position)
    var noise = model.measurementNoise.variance(scale: scale)
    if model.weighsScores { noise *= Double(max(0.01, 1 - score)) }
    let innovation = model.coordinates.vector(of: box) - position
    let variance = positionVariance + noise
    inflateVelocityVariance(after: innovation * innovation / variance, model: model)
    let gain = positionVariance / variance
    let velocityGain = covariance / variance
    position += gain * innovation
    velocity += velocityGain * innovation
    velocityVariance -= velocityGain * covariance
    covariance -= gain * covariance
    positionVariance -= gain * positionVariance
  }

  /// Increases the uncertainty of the velocity after a surprising observation.
  ///
  /// The object has turned, stopped, or started to move. A filter that is steady enough for walkers
  /// would otherwise lose dancers and players.
  private mutating func inflateVelocityVariance(after surprise: SIMD4<Double>, model: MotionModel) {
    var doubt = surprise / model.greatestSurprise
    doubt.clamp(lowerBound: .one, upperBound: SIMD4(repeating: 10))
    doubt.replace(with: 1, where: sizeLanes)
    velocityVariance *= doubt
    covariance *= doubt.squareRoot()
  }

  /// Returns the box at the current coordinates.
  package func box(model: MotionModel) -> BoundingBox { model.coordinates.box(at: position) }

  private var sizeLanes: SIMDMask<SIMD4<Int64>> { [false, false, true, true] }
}

extension MotionModel.Noise {
  /// Returns the variance for an object of the given scale.
  func variance(scale: SIMD4<Double>) -> SIMD4<Double> {
    let deviation = fixed + relative * scale
    return deviation * deviation
  }
}

extension MotionModel.Coordinates {
  /// Returns the coordinates of a box.
  func vector(of box: BoundingBox) -> SIMD4<Double> {
    let width = box.width
    let height = box.height
    let x = (box.left + box.right) / 2
    let y = (box.top + box.bottom) / 2
    return switch self {
    case .centerAreaRatio: [x, y, width * height, width / height]
    case .centerRatioHeight: [x, y, width / height, height]
    case .centerSize: [x, y, width, height]
    }
  }

  /// Returns the box at the given coordinates.
  func box(at vector: SIMD4<Double>) -> BoundingBox {
    let width: Double
    let height: Double
    switch self {
    case .centerAreaRatio:
      width = max(0, vector.z * vector.w).squareRoot()
      height = width > 0 ? vector.z / width : 0
    case .centerRatioHeight: (width, height) = (vector.z * vector.w, vector.w)
    case .centerSize: (width, height) = (vector.z, vector.w)
    }
    return BoundingBox(
      x: vector.x - width / 2, y: vector.y - height / 2, width: width, height: height)
  }

  /// Returns the size that relative noise is proportional to, for each coordinate.
  func scale(at vector: SIMD4<Double>) -> SIMD4<Double> {
    switch self {
    case .centerAreaRatio: .zero
    case .centerRatioHeight: SIMD4(repeating: vector.w)
    case .centerSize: [vector.z, vector.w, vector.z, vector.w]
    }
  }
}
