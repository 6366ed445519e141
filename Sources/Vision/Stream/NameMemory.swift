import OcellusImaging

/// The labels of the objects of a stream, kept with their identities.
struct NameMemory {
  private struct Entry {
    var categories: [Category]
    /// How large the object was when the classifier saw it, in square pixels.
    var area: Double
    var lastSeen: Duration
  }

  private var entries: [Int: Entry] = [:]

  /// The labels of an object; `nil` while they are not known.
  subscript(id: Int) -> [Category]? { entries[id]?.categories }

  /// The objects with identities that the classifier should look at first: those without labels, then
  /// those that have grown to twice the area since, each from large to small.
  func mostUrgent(of detections: [Detection], limit: Int) -> [Detection] {
    let urgent = detections.filter { detection in
      guard let id = detection.trackingID else { return false }
      return entries[id].map { detection.box.area > 2 * $0.area } ?? true
    }
    let ordered = urgent.sorted { first, second in
      let isKnown = [first, second].map { $0.trackingID.flatMap { entries[$0] } != nil }
      return isKnown[0] == isKnown[1] ? first.box.area > second.box.area : isKnown[1]
    }
    return Array(ordered.prefix(max(limit, 0)))
  }

  mutating func remember(_ categories: [Category], of detection: Detection, as id: Int) {
    entries[id] = Entry(categories: categories, area: detection.box.area, lastSeen: .zero)
  }

  /// Notes who was seen, and drops those that were not for long: memory stays as small as the scene.
  mutating func forget(unseenSince limit: Duration, seen: [Detection], at time: Duration) {
    for id in seen.lazy.compactMap(\.trackingID) { entries[id]?.lastSeen = time }
    if entries.count > 2 * seen.count { entries = entries.filter { $0.value.lastSeen >= limit } }
  }
}
