import OcellusImaging
import OcellusJSON

/// The metadata that Ultralytics' tools pack with a model: the task of the network and its classes.
struct UltralyticsMetadata {
  /// The task: `detect`, `segment`, `pose`, `obb` or `classify`.
  let task: String?
  /// The names of the classes.
  let labels: Labels?
  /// The number of keypoints, and the number of elements of each.
  let keypointShape: (count: Int, numbers: Int)?

  /// The names that the metadata file has had.
  static let fileNames = ["metadata.json", "temp_meta.txt"]

  /// Parses the text of the file: JSON, or a dictionary as Python prints it.
  init?(parsing text: String) {
    guard
      let object = (try? JSONParser.parse(Array(text.utf8)))?.object
        ?? PythonLiteral.parse(text)?.object,
      // Other tools write files of these names, too.
      object["task"]?.string != nil || object["names"]?.object != nil
    else { return nil }
    task = object["task"]?.string
    labels = object["names"]?.object.flatMap(Self.labels)
    let shape = object["kpt_shape"]?.array?.compactMap(\.integer) ?? []
    keypointShape =
      shape.count == 2 && (1...1000).contains(shape[0]) && (2...3).contains(shape[1])
      ? (shape[0], shape[1]) : nil
  }

  private static func labels(_ names: JSONObject) -> Labels? {
    var byNumber: [Int: String] = [:]
    for member in names.members {
      guard let number = Int(member.name), (0..<100_000).contains(number),
        let name = member.value.string
      else { return nil }
      byNumber[number] = name
    }
    guard let last = byNumber.keys.max() else { return nil }
    return Labels((0...last).map { byNumber[$0] })
  }
}
