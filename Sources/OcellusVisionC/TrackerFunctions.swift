// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// The C headers document these functions.

public import CTensorFlowLite
import OcellusHandles
import OcellusImaging
import OcellusVision

/// The object behind an `OcellusTracker`.
private final class TrackerObject: Handle {
  var tracker = Tracker()
}

extension Detection {
  fileprivate init(_ object: OcellusObject) {
    self.init(
      box: BoundingBox(
        left: object.left, top: object.top, right: object.right, bottom: object.bottom),
      categories: object.category < 0
        ? [] : [Category(index: Int(object.category), score: object.score)],
      score: object.score)
  }
}

@c @implementation public func OcellusTrackerCreate() -> OpaquePointer? {
  TrackerObject().retained()
}

@c @implementation public func OcellusTrackerDelete(_ tracker: OpaquePointer?) {
  TrackerObject.release(tracker)
}

@c @implementation public func OcellusTrackerUpdate(
  _ tracker: OpaquePointer?, _ objects: UnsafeMutablePointer<OcellusObject>?, _ count: Int32,
  _ seconds: Double, _ text: UnsafeMutablePointer<CChar>?, _ size: Int
) -> Int32 {
  let buffer = ErrorBuffer(text, size)
  // `Duration` cannot hold every number of seconds.
  guard let tracker = TrackerObject.at(tracker), count >= 0, count == 0 || objects != nil,
    abs(seconds) < 1e12
  else {
    buffer.write("there is no tracker, no objects, or no such time as \(seconds) seconds")
    return -1
  }
  let objects = UnsafeMutableBufferPointer(start: objects, count: Int(count))
  do throws(TrackingError) {
    let tracks = try tracker.tracker.update(objects.map { Detection($0) }, at: .seconds(seconds))
    for index in objects.indices { objects[index].identity = 0 }
    for track in tracks { objects[track.detectionIndex].identity = Int64(track.id ?? 0) }
    return 0
  } catch {
    buffer.write(error.description)
    return -1
  }
}
