import OcellusImaging
import OcellusPlatform
import OcellusVision

/// A running tracker, whose results go to the counters and are stored for reports.
struct TrackSession {
  private(set) var tracker: Tracker
  private(set) var lines: [LineCounter]
  private(set) var zones: [ZoneCounter]
  private(set) var events: [CountingEvent] = []
  /// The objects with an identity in each frame.
  private(set) var frames: [[TrackedBox]] = []
  private(set) var identityCount = 0
  /// The time spent in the tracker and, if there is one, in the detector.
  private(set) var trackingSeconds = 0.0

  init(_ options: TrackerOptions, lines: [LineCounter] = [], zones: [ZoneCounter] = []) {
    tracker = Tracker(options)
    self.lines = lines
    self.zones = zones
  }

  /// Tracks the detections of the next frame.
  mutating func append(
    boxes: [BoundingBox], scores: [Float], at time: Duration
  ) throws(TrackingError) {
    let start = MonotonicTime.now
    let tracks = try tracker.update(boxes: boxes, scores: scores, at: time)
    trackingSeconds += start.secondsToNow
    record(tracks, at: time)
  }

  /// Adds the tracked objects of the next frame from another tracker.
  mutating func append(_ tracks: [Track], at time: Duration, seconds: Double) {
    trackingSeconds += seconds
    record(tracks, at: time)
  }

  private mutating func record(_ tracks: [Track], at time: Duration) {
    frames.append(
      tracks.compactMap { track in
        track.id.map { TrackedBox(id: $0, box: track.box) }
      })
    // Identities are assigned consecutively from 1, so the largest is their number.
    identityCount = max(identityCount, frames.last?.map(\.id).max() ?? 0)
    let frame = frames.count
    for index in lines.indices {
      events += lines[index].update(tracks, at: time).map { crossing in
        CountingEvent(
          frame: frame, counter: "line \(index + 1)", id: crossing.id,
          change: crossing.direction.rawValue)
      }
    }
    for index in zones.indices {
      events += zones[index].update(tracks, at: time).map { event in
        CountingEvent(
          frame: frame, counter: "zone \(index + 1)", id: event.id, change: event.change.rawValue)
      }
    }
  }

  /// The rows `frame,id,left,top,width,height,1,-1,-1,-1` of MOTChallenge's format.
  var motText: String {
    var text = ""
    for (index, boxes) in frames.enumerated() {
      for tracked in boxes {
        let box = tracked.box
        let sides = [box.left, box.top, box.width, box.height].map { $0.fixed(3) }
        text += "\(index + 1),\(tracked.id),\(sides.joined(separator: ",")),1,-1,-1,-1\n"
      }
    }
    return text
  }
}

/// An event that a line or a zone counted.
struct CountingEvent {
  let frame: Int
  /// The line or zone, numbered in the order of the arguments.
  let counter: String
  let id: Int
  let change: String
}
