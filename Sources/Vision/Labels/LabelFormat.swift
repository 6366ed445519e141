import OcellusJSON

/// The formats of label files.
enum LabelFormat {
  /// One name on each line, or a number and a name.
  case lines
  /// A JSON list, or names by number; also as a member such as `names` or `labels` of an object.
  case json
  /// `item { id: 1 name: "cat" }`, the text form of TensorFlow's label maps.
  case labelMap
  /// `names:` with a list or with names by number, as in Ultralytics' data sets.
  case yaml
  /// A table with a column of names.
  case table

  /// Chooses the format by the suffix of the file name or, when that is unknown, by the contents.
  init(fileName: String, text: String) {
    let ending = fileName.split(separator: ".").last?.lowercased() ?? ""
    switch ending {
    case "json": self = .json
    case "pbtxt", "prototxt": self = .labelMap
    case "yaml", "yml": self = .yaml
    case "csv", "tsv": self = .table
    default: self = Self(beginning: text)
    }
  }

  /// Chooses the format by the first characters of a text.
  private init(beginning text: String) {
    func isSpace(_ scalar: Unicode.Scalar) -> Bool { scalar.properties.isWhitespace }
    let beginning = text.unicodeScalars.drop { isSpace($0) || $0 == "\u{FEFF}" }
    switch beginning.first {
    case "[", "{":
      let second = beginning.dropFirst().drop(while: isSpace).first
      self = second == "[" || second == "{" || second == "\"" ? .json : .lines
    case "n" where beginning.starts(with: "names:".unicodeScalars):
      self = beginning.dropFirst("names:".count).first.map(isSpace) ?? false ? .yaml : .lines
    default: self = LabelMapText.isBeginning(of: beginning) ? .labelMap : .lines
    }
  }
}

extension Labels {
  /// Reads the text of a label file, in the format that its name and contents show.
  ///
  /// The formats are: a name on each line; JSON; TensorFlow's label maps (`.pbtxt`); YAML with
  /// `names:`; tables (`.csv`, `.tsv`).
  /// - Throws: `VisionError.unreadable` when the text does not follow its format.
  public init(parsing text: String, fileName: String) throws(VisionError) {
    let found: Labels?
    switch LabelFormat(fileName: fileName, text: text) {
    case .lines: found = Labels(parsing: text)
    case .labelMap: found = LabelMapText.labels(in: text)
    case .yaml: found = YAMLNames.labels(in: text)
    case .table: found = LabelTable.labels(in: text)
    case .json:
      do throws(JSONError) {
        found = Labels(try JSONParser.parse(Array(text.utf8), allowsTrailingCommas: true))
      } catch {
        throw .unreadable("\(fileName): \(error.description)")
      }
    }
    guard let found, found.names.contains(where: { $0 != nil }) else {
      throw .unreadable("\(fileName): there are no names of classes in it")
    }
    self = found
  }

  /// Creates labels from names by number; `nil` when a number is negative or too large.
  init?(numbered names: [Int: String]) {
    guard let first = names.keys.min(), let last = names.keys.max(), first >= 0,
      last <= Self.largestNumber
    else { return nil }
    self.init((0...last).map { names[$0].flatMap { Self.name($0[...]) } })
  }

  /// Reads the labels in a JSON value; `nil` when the value has none of the known forms.
  init?(_ json: JSONValue) {
    if let elements = json.array {
      let numbered = elements.compactMap { element -> (Int, String)? in
        guard let number = element.object?.number, let name = element.label else { return nil }
        return (number, name)
      }
      if numbered.count == elements.count {
        self.init(numbered: Dictionary(numbered, uniquingKeysWith: { first, _ in first }))
      } else {
        guard elements.allSatisfy({ $0 == .null || $0.label != nil }) else { return nil }
        self.init(elements.map { $0.label.flatMap { Self.name($0[...]) } })
      }
      return
    }
    guard let object = json.object else { return nil }
    for name in ["names", "labels", "id2label", "classes", "class_names", "categories"] {
      if let value = object[name], let labels = Labels(value) {
        self = labels
        return
      }
    }
    let byNumber = object.members.compactMap { member -> (Int, String)? in
      if let number = Int(member.name), let label = member.value.label { return (number, label) }
      return member.value.integer.map { ($0, member.name) }
    }
    guard byNumber.count == object.members.count else { return nil }
    self.init(numbered: Dictionary(byNumber, uniquingKeysWith: { first, _ in first }))
  }
}

extension JSONValue {
  /// The class name in a value: a string, the last string of an array, or a member of an object.
  fileprivate var label: String? {
    if let string { return string }
    if let array { return array.last?.string }
    let names = ["display_name", "name", "label", "title"]
    return names.lazy.compactMap { object?[$0]?.string }.first
  }
}

extension JSONObject {
  /// The class number in an object.
  fileprivate var number: Int? {
    ["id", "index", "class_id"].lazy.compactMap { self[$0]?.integer }.first
  }
}
