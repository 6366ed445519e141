public import OcellusImaging

/// Where an object that is followed is expected, whether or not a picture was searched for it.
public struct ExpectedTrack: Hashable, Sendable {
  /// Its identity.
  public var id: Int
  /// Where it should be.
  public var box: BoundingBox
  /// Whether the last pictures showed it no more: it may be hidden, or gone.
  public var isLost: Bool

  /// An object's place as it is expected.
  public init(id: Int, box: BoundingBox, isLost: Bool) {
    self.id = id
    self.box = box
    self.isLost = isLost
  }
}

extension Tracker {
  /// Where the objects with identities should be at a time that is not before the last picture's, also
  /// those that it did not show; the tracker stays as it is.
  public func expected(at time: Duration) -> [ExpectedTrack] {
    guard let lastTime else { return [] }
    let units = max(time - lastTime, .zero) / .seconds(1) / options.motion.unitSeconds
    return states.compactMap { state in
      guard let id = state.id else { return nil }
      let isLost = state.missedFrames > 0
      var filter = state.filter
      filter.predict(units, model: options.motion, isLost: isLost)
      guard isLost else {
        // From where it was seen, for the filter is a little behind.
        let way = filter.position - state.filter.position
        let coordinates = options.motion.coordinates
        let box = coordinates.box(at: coordinates.vector(of: state.box) + way)
        return ExpectedTrack(id: id, box: units > 0 ? box : state.box, isLost: false)
      }
      return ExpectedTrack(id: id, box: filter.box(model: options.motion), isLost: true)
    }
  }
}
