package import OcellusImaging

/// The labels of a stream's objects, by tracking identity.
///
/// An object is classified again when the last answer was empty, or when its visible area is more
/// than twice as large as at that time: it has grown, or is no longer cut by an edge or hidden by
/// another object.
package struct LabelCache {
  private struct Entry {
    var categories: [Category]
    /// The visible area when the object was classified.
    var view: Double
    var asked: Duration
    var lastSeen: Duration
  }

  /// The time before an object without an answer is classified again, so others have a turn.
  private static let pause = Duration.milliseconds(250)

  private var entries: [Int: Entry] = [:]

  package init() {}

  /// The labels of an object; `nil` while they are not known.
  package subscript(id: Int) -> [Category]? { entries[id]?.categories }

  /// Returns the indices of the detections that should be classified next.
  ///
  /// Objects that were never classified come first, then objects without an answer, then objects
  /// that are more visible now. In each of these groups, a larger visible area comes first.
  package func mostUrgent(
    of detections: [Detection], in size: PixelSize, at time: Duration, limit: Int
  ) -> [Int] {
    var urgent: [(index: Int, rank: Int, view: Double)] = []
    for (index, detection) in detections.enumerated() {
      guard let id = detection.trackingID else { continue }
      let view = detection.view(among: detections, in: size)
      if let rank = rank(of: id, view: view, at: time) { urgent.append((index, rank, view)) }
    }
    urgent.sort { ($0.rank, $1.view) < ($1.rank, $0.view) }
    return urgent.prefix(max(limit, 0)).map(\.index)
  }

  private func rank(of id: Int, view: Double, at time: Duration) -> Int? {
    guard let entry = entries[id] else { return 0 }
    if entry.categories.isEmpty, time - entry.asked >= Self.pause { return 1 }
    return view > 2 * entry.view ? 2 : nil
  }

  /// Stores the classifier's answer for an object; an empty answer keeps the previous labels.
  package mutating func remember(
    _ categories: [Category], of detection: Detection, as id: Int, among detections: [Detection],
    in size: PixelSize, at time: Duration
  ) {
    let known = entries[id]?.categories ?? []
    entries[id] = Entry(
      categories: categories.isEmpty ? known : categories,
      view: detection.view(among: detections, in: size), asked: time, lastSeen: time)
  }

  /// Notes the visible objects, and drops entries not seen since `limit` when there are many.
  package mutating func forget(unseenSince limit: Duration, seen: [Detection], at time: Duration) {
    for id in seen.lazy.compactMap(\.trackingID) { entries[id]?.lastSeen = time }
    if entries.count > 2 * seen.count { entries = entries.filter { $0.value.lastSeen >= limit } }
  }
}

extension Detection {
  /// Returns the visible area of the object in pixels.
  ///
  /// It is the area inside the picture, without the part hidden by the object that overlaps it
  /// most.
  fileprivate func view(among detections: [Detection], in size: PixelSize) -> Double {
    let visible = box.clipped(to: size)
    let hidden = detections.reduce(0) { hidden, other in
      other.trackingID == trackingID ? hidden : max(hidden, visible.intersection(other.box).area)
    }
    return visible.area - hidden
  }
}
