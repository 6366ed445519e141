public import OcellusImaging

/// The predicted box of a tracked object, at a time with or without detections.
public struct ExpectedTrack: Hashable, Sendable {
  /// The identity.
  public var id: Int
  /// The predicted box.
  public var box: BoundingBox
  /// Whether the object was not in the last pictures: it may be hidden, or gone.
  public var isLost: Bool

  /// Creates a prediction for an object.
  public init(id: Int, box: BoundingBox, isLost: Bool) {
    self.id = id
    self.box = box
    self.isLost = isLost
  }
}

extension Tracker {
  /// Predicts the boxes of all objects with identities, including lost ones.
  ///
  /// The time must not precede that of the last picture. The tracker is not changed.
  public func expected(at time: Duration) -> [ExpectedTrack] {
    guard let lastTime else { return [] }
    let units = max(time - lastTime, .zero) / .seconds(1) / options.motion.unitSeconds
    return states.compactMap { state in
      guard let id = state.id else { return nil }
      let isLost = state.missedFrames > 0
      var filter = state.filter
      filter.predict(units, model: options.motion, isLost: isLost)
      guard isLost else {
        // The motion is added to the observed box, as the filter lags a little.
        let way = filter.position - state.filter.position
        let coordinates = options.motion.coordinates
        let box = coordinates.box(at: coordinates.vector(of: state.box) + way)
        return ExpectedTrack(id: id, box: units > 0 ? box : state.box, isLost: false)
      }
      return ExpectedTrack(id: id, box: filter.box(model: options.motion), isLost: true)
    }
  }
}
