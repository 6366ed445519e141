import OcellusImaging
import OcellusJSON
import OcellusVision

/// The objects that were found in a picture.
struct DetectionReport: PictureReport {
  let path: String
  /// The size of the upright picture, in whose pixels the boxes are.
  let size: PixelSize
  let detections: [Detection]
  let milliseconds: Double
  /// The file with the boxes drawn, if one was asked for.
  let annotatedPath: String?
  /// Everything that the network proposed, if that was asked for.
  let ledger: LedgerReport?
  /// What one of the objects depends on, if that was asked for.
  let occlusion: OcclusionMap?
  let warnings: [String]

  static let columns: [TextTable.Column] = [
    .left("label"), .right("score"), .right("left"), .right("top"), .right("right"),
    .right("bottom"), .right("class"),
  ]

  var heading: String {
    let count = detections.count == 1 ? "1 object" : "\(detections.count) objects"
    let picture = annotatedPath.map { ", drawn in \($0)" } ?? ""
    return "\(path): \(size), \(count), \(milliseconds.fixed(1)) ms\(picture)"
  }

  var appendix: String { (ledger?.text ?? "") + (occlusion?.text ?? "") }

  var json: JSONObject {
    var object = picture
    if let ledger { object.append("ledger", ledger.json) }
    if let occlusion { object.append("occlusion", occlusion.json) }
    return object
  }

  private var picture: JSONObject {
    [
      "image": .string(path), "width": .integer(size.width), "height": .integer(size.height),
      "detections": .array(detections.map { $0.json(in: size) }),
      "milliseconds": .number(milliseconds), "annotated": .string(orNull: annotatedPath),
      "warnings": .strings(warnings),
    ]
  }

  func rows(exactly: Bool) -> [[String]] {
    detections.map { detection in
      let category = detection.categories.first
      let edges = [
        detection.box.left, detection.box.top, detection.box.right, detection.box.bottom,
      ]
      return [
        category?.label ?? (exactly ? "" : "-"),
        exactly ? "\(detection.score)" : Double(detection.score).fixed(3),
      ] + edges.map { exactly ? "\($0)" : $0.fixed(1) } + [category.map { "\($0.index)" } ?? ""]
    }
  }
}

extension Detection {
  /// For programs; `size` is that of the picture.
  func json(in size: PixelSize) -> JSONValue {
    [
      "box": [
        "left": .number(box.left), "top": .number(box.top), "right": .number(box.right),
        "bottom": .number(box.bottom),
      ],
      "normalized_box": [
        "left": .number(box.left / Double(size.width)),
        "top": .number(box.top / Double(size.height)),
        "right": .number(box.right / Double(size.width)),
        "bottom": .number(box.bottom / Double(size.height)),
      ],
      "score": .number(Double(score)),
      "categories": .array(categories.map(\.json)),
      "keypoints": .array(keypoints.map { [.number($0.x), .number($0.y)] }),
      "tracking_id": trackingID.map { .integer($0) } ?? .null,
    ]
  }
}

extension Category {
  /// For programs.
  var json: JSONValue {
    [
      "index": .integer(index), "label": .string(orNull: label), "score": .number(Double(score)),
    ]
  }
}
