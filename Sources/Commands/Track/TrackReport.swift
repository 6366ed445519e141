import OcellusJSON
import OcellusVision

/// The results of `track`, as text and as JSON.
struct TrackReport {
  /// The model that found the objects, as members of the JSON; none if detections were given.
  let model: JSONObject
  let trackerName: String
  let framesPerSecond: Double
  let detectionCount: Int
  let session: TrackSession
  let evaluation: MOTEvaluation?

  private var speed: Double { Double(session.frames.count) / max(session.trackingSeconds, 1e-9) }

  private var measures: [(name: String, value: Double)] {
    guard let evaluation else { return [] }
    return [
      ("hota", evaluation.hota), ("detection_accuracy", evaluation.detectionAccuracy),
      ("association_accuracy", evaluation.associationAccuracy), ("mota", evaluation.mota),
      ("idf1", evaluation.idf1),
    ]
  }

  var text: String {
    var table = TextTable([.left("tracker"), .left(trackerName)])
    table.add(["frames", "\(session.frames.count.grouped) at \(framesPerSecond) a second"])
    table.add(["detections", detectionCount.grouped])
    table.add(["identities", session.identityCount.grouped])
    table.add(["speed", "\(Int(speed).grouped) frames a second"])
    for (index, line) in session.lines.enumerated() {
      table.add([
        "line \(index + 1)",
        "\(line.count(.leftToRight)) left to right, \(line.count(.rightToLeft)) right to left",
      ])
    }
    for (index, zone) in session.zones.enumerated() {
      table.add([
        "zone \(index + 1)",
        "\(zone.count(.entered)) entered, \(zone.count(.appeared)) appeared, "
          + "\(zone.count(.left)) left, \(zone.count(.vanished)) vanished, "
          + "\(zone.occupants.count) inside at the end",
      ])
    }
    for measure in measures {
      table.add([measure.name, (100 * measure.value).fixed(2)])
    }
    if let evaluation { table.add(["switches", "\(evaluation.identitySwitches)"]) }
    return table.text()
  }

  var json: JSONValue {
    var members = model
    members.append("tracker", .string(trackerName))
    members.append("frames", .integer(session.frames.count))
    members.append("detections", .integer(detectionCount))
    members.append("identities", .integer(session.identityCount))
    members.append("frames_per_second", .number(speed))
    members.append("lines", .array(session.lines.map(Self.json)))
    members.append("zones", .array(session.zones.map(Self.json)))
    members.append("events", .array(session.events.map(Self.json)))
    if let evaluation {
      var object = JSONObject()
      for measure in measures { object.append(measure.name, .number(measure.value)) }
      object.append("identity_switches", .integer(evaluation.identitySwitches))
      object.append("false_positives", .integer(evaluation.falsePositives))
      object.append("false_negatives", .integer(evaluation.falseNegatives))
      members.append("evaluation", .object(object))
    }
    return .object(members)
  }

  private static func json(_ line: LineCounter) -> JSONValue {
    [
      "left_to_right": .integer(line.count(.leftToRight)),
      "right_to_left": .integer(line.count(.rightToLeft)),
    ]
  }

  private static func json(_ zone: ZoneCounter) -> JSONValue {
    [
      "entered": .integer(zone.count(.entered)), "appeared": .integer(zone.count(.appeared)),
      "left": .integer(zone.count(.left)), "vanished": .integer(zone.count(.vanished)),
      "inside": .integers(zone.occupants),
    ]
  }

  private static func json(_ event: CountingEvent) -> JSONValue {
    [
      "frame": .integer(event.frame), "counter": .string(event.counter),
      "id": .integer(event.id), "change": .string(event.change),
    ]
  }
}
