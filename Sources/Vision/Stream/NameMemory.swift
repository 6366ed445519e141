package import OcellusImaging

/// The labels of the objects of a stream, kept with their identities.
///
/// An object is asked about again when the last answer was empty, and when it is seen twice as well as then: it
/// has grown, come in from the edge of the picture, or out from behind another one.
package struct NameMemory {
  private struct Entry {
    var categories: [Category]
    /// How well the object was to be seen when the classifier looked.
    var view: Double
    var asked: Duration
    var lastSeen: Duration
  }

  /// How long an object without an answer is left alone, so that others have their turn.
  private static let pause = Duration.milliseconds(250)

  private var entries: [Int: Entry] = [:]

  package init() {}

  /// The labels of an object; `nil` while they are not known.
  package subscript(id: Int) -> [Category]? { entries[id]?.categories }

  /// The objects with identities that the classifier should look at first, as places among the detections:
  /// those it never saw, then those it had no answer for, then those that are better to be seen now; of
  /// each kind those first that are to be seen best.
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

  /// Notes what the classifier said of one of the detections; no answer takes none away.
  package mutating func remember(
    _ categories: [Category], of detection: Detection, as id: Int, among detections: [Detection],
    in size: PixelSize, at time: Duration
  ) {
    let known = entries[id]?.categories ?? []
    entries[id] = Entry(
      categories: categories.isEmpty ? known : categories,
      view: detection.view(among: detections, in: size), asked: time, lastSeen: time)
  }

  /// Notes who was seen, and drops those that were not for long: memory stays as small as the scene.
  package mutating func forget(unseenSince limit: Duration, seen: [Detection], at time: Duration) {
    for id in seen.lazy.compactMap(\.trackingID) { entries[id]?.lastSeen = time }
    if entries.count > 2 * seen.count { entries = entries.filter { $0.value.lastSeen >= limit } }
  }
}

extension Detection {
  /// How well the object is to be seen: the square pixels of it that are in the picture and not behind the
  /// object that overlaps it most.
  fileprivate func view(among detections: [Detection], in size: PixelSize) -> Double {
    let visible = box.clipped(to: size)
    let hidden = detections.reduce(0) { hidden, other in
      other.trackingID == trackingID ? hidden : max(hidden, visible.intersection(other.box).area)
    }
    return visible.area - hidden
  }
}
