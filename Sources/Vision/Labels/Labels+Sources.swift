import OcellusPlatform

extension Labels {
  /// Reads a label file, in the form that its name and contents tell; see `init(parsing:fileName:)`.
  public init(contentsOf path: String) throws(VisionError) {
    try self.init(parsing: try TextFile.contents(of: path), fileName: path)
  }

  /// What label files are called after the model file's own name, the first that is there counts.
  private static let endings = [
    ".labels.txt", "_labels.txt", "-labels.txt", ".txt", ".labels", ".names", ".json", ".pbtxt",
    ".yaml",
    ".csv",
  ]
  /// What they are called in the folder of a model that has it for itself.
  private static let names = [
    "labels.txt", "labelmap.txt", "label_map.txt", "dict.txt", "classes.txt", "class_names.txt",
    "coco.names", "obj.names", "labelmap.pbtxt", "label_map.pbtxt", "labels.json", "classes.json",
    "data.yaml", "labels.csv",
  ]

  /// The labels beside a model file: called like it with another ending, or, where it is the only model
  /// of its folder, by one of the usual names.
  static func besideModel(at path: String) throws(VisionError) -> (labels: Labels, path: String)? {
    let name = path.hasSuffix(modelEnding) ? String(path.dropLast(modelEnding.count)) : path
    for ending in endings where TextFile.exists(name + ending) {
      // Files of these endings may be about something else: what was trained, the licence.
      if let labels = try? Labels(contentsOf: name + ending) { return (labels, name + ending) }
      if ending.hasSuffix(".txt") { return (try Labels(contentsOf: name + ending), name + ending) }
    }
    let folder = path.parentPath
    guard let files = try? FileSystem.entries(of: folder),
      files.count(where: { $0.hasSuffix(modelEnding) }) == 1
    else { return nil }
    for name in names where files.contains(name) {
      let file = "\(folder)/\(name)"
      return (try Labels(contentsOf: file), file)
    }
    return nil
  }

  private static let modelEnding = ".tflite"
}

/// Small files of text beside a model.
enum TextFile {
  static func exists(_ path: String) -> Bool { (FileSystem.byteCount(of: path) ?? 0) > 0 }

  static func contents(of path: String) throws(VisionError) -> String {
    let bytes: [UInt8]
    do throws(FileError) { bytes = try FileSystem.read(path, limit: maximumByteCount) } catch {
      throw .unreadable(error.description)
    }
    return try text(of: bytes, named: path)
  }

  /// The text of a file's bytes.
  ///
  /// - Throws: when they are no text in UTF-8.
  static func text(of bytes: [UInt8], named name: String) throws(VisionError) -> String {
    if let zero = bytes.firstIndex(of: 0) {
      let isWide = bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF])
      throw .unreadable(
        "\(name): this is "
          + (isWide ? "UTF-16; save it as UTF-8" : "no text: there is a zero at byte \(zero)"))
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw .unreadable("\(name): this is no text in UTF-8; save it as such")
    }
    return text
  }

  private static let maximumByteCount = 64 << 20
}
