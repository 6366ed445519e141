import OcellusImaging
import OcellusJSON
import OcellusVision

/// The objects found in a picture.
struct DetectionReport: PictureReport {
  let path: String
  /// The size of the upright picture; boxes are in its pixels.
  let size: PixelSize
  let detections: [Detection]
  let milliseconds: Double
  /// The path of the annotated picture, if one was requested.
  let annotatedPath: String?
  /// The account of all candidates, if it was requested.
  let ledger: LedgerReport?
  /// The occlusion map of one object, if it was requested.
  let occlusion: OcclusionMap?
  /// What other engines may make of the objects, if that was requested.
  var bounds: DetectionBoundsReport?
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

  var appendix: String { (bounds?.text ?? "") + (ledger?.text ?? "") + (occlusion?.text ?? "") }

  var json: JSONObject {
    var object = picture
    if let bounds { object.append("bounds", bounds.json) }
    if let ledger { object.append("ledger", ledger.json) }
    if let occlusion { object.append("occlusion", occlusion.json) }
    return object
  }

  private var picture: JSONObject {
    PictureDocument(path: path, size: size, milliseconds: milliseconds, warnings: warnings)
      .objects(detections, annotatedPath: annotatedPath)
  }

  func rows(exactly: Bool) -> [[String]] {
    detections.map { detection in
      let category = detection.categories.first
      let label = category?.label ?? (exactly ? "" : "-")
      let score = exactly ? "\(detection.score)" : Double(detection.score).fixed(3)
      let box = detection.box
      let edges = [box.left, box.top, box.right, box.bottom].map { edge -> String in
        exactly ? "\(edge)" : edge.fixed(1)
      }
      return [label, score] + edges + [category.map { "\($0.index)" } ?? ""]
    }
  }
}
