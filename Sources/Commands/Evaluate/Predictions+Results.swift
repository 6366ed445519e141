import OcellusImaging
import OcellusJSON
import OcellusPlatform
import OcellusVision

extension Predictions {
  /// Adds the results in a file.
  ///
  /// They are the output of `detect`, `label` or `worker` for programs, or a list in COCO's format.
  mutating func add(results bytes: [UInt8], named path: String) throws {
    let values = try Self.values(in: bytes, named: path)
    if values.count == 1, let rows = values[0].array {
      guard annotations.subject == .objects else { throw Self.mixed(path) }
      guard !annotations.categoryOfNumber.isEmpty else {
        throw RunError(
          "\(path): a list as COCO has it numbers the classes, and the annotations have only names; "
            + "give what detect prints with --json, or annotations as COCO or YOLO has them")
      }
      for (index, row) in rows.enumerated() {
        try add(
          cocoResult: COCORow(
            position: "\(path): result \(index)", object: row.object ?? JSONObject())
        )
      }
      return
    }
    for value in values {
      let records = value.object?["images"]?.array ?? [value]
      for record in records { try add(record.object ?? JSONObject(), named: path) }
    }
  }

  /// Returns the only value of a file, or one value per line.
  private static func values(in bytes: [UInt8], named path: String) throws -> [JSONValue] {
    do { return [try JSONParser.parse(bytes)] } catch {
      // If the first line alone is valid, the file has one value per line, and an error belongs to
      // a line.
      let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      guard lines.count > 1, (try? JSONParser.parse(Array(lines[0]))) != nil else {
        throw RunError("\(path): \(error.description)")
      }
      var values: [JSONValue] = []
      for (number, line) in lines.enumerated() where !line.isEmpty {
        do { values.append(try JSONParser.parse(Array(line))) } catch {
          throw FileLineError(path: path, line: number + 1, problem: error.description)
        }
      }
      return values
    }
  }

  private static func mixed(_ path: String) -> RunError {
    RunError("\(path): the annotations are about something else: objects, or pictures as a whole")
  }

  private mutating func add(cocoResult row: COCORow) throws {
    let image = row.object["image_id"]
    let identifier = try image?.string ?? "\(try row.integer("image_id"))"
    add(
      try row.box("bbox"), score: try row.number("score"),
      .numbered(try row.integer("category_id")), at: try picture(identifier))
  }

  /// Adds the output of `detect`, `label` or `worker` about a picture.
  mutating func add(_ record: JSONObject, named path: String) throws {
    guard let name = record["image"]?.string else {
      throw RunError(
        "\(path): these are no results about pictures: what detect and label print with --json or --jsonl, "
          + "or a list as COCO has it")
    }
    let pictureIndex = try beginPicture(at: name)
    if let error = record["error"]?.string {
      warn("\(name) could not be processed: \(error.shortened)")
    } else if let found = record["detections"]?.array, annotations.subject == .objects {
      for (index, detection) in found.enumerated() {
        try add(
          detection: COCORow(
            position: "\(path): \(name): detection \(index)",
            object: detection.object ?? JSONObject()),
          at: pictureIndex)
      }
    } else if let names = record["labels"]?.array, annotations.subject == .pictures {
      for name in names { add(Self.answer(name.object), at: pictureIndex) }
    } else {
      throw Self.mixed(path)
    }
  }

  private mutating func add(detection row: COCORow, at pictureIndex: Int) throws {
    let edges = COCORow(position: row.position, object: row.object["box"]?.object ?? JSONObject())
    let box = BoundingBox(
      left: try edges.number("left"), top: try edges.number("top"),
      right: try edges.number("right"), bottom: try edges.number("bottom"))
    guard let category = row.object["categories"]?.array?.first?.object else {
      // An object without a name belongs to no class.
      return
    }
    add(CornerBox(box), score: try row.number("score"), Self.answer(category), at: pictureIndex)
  }

  private static func answer(_ category: JSONObject?) -> Answer {
    .named(category?["label"]?.string, index: category?["index"]?.integer ?? -1)
  }
}
