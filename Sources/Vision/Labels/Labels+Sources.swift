import OcellusPlatform

extension Labels {
  /// Reads a label file; its format is inferred as in `init(parsing:fileName:)`.
  public init(contentsOf path: String) throws(VisionError) {
    try self.init(parsing: try TextFile.contents(of: path), fileName: path)
  }

  /// The suffixes of label files that share the model file's name, in order of preference.
  private static let endings = [
    ".labels.txt", "_labels.txt", "-labels.txt", ".txt", ".labels", ".names", ".json", ".pbtxt",
    ".yaml",
    ".csv",
  ]
  /// The names of label files in a folder that holds only one model, in order of preference.
  private static let names = [
    "labels.txt", "labelmap.txt", "label_map.txt", "dict.txt", "classes.txt", "class_names.txt",
    "coco.names", "obj.names", "labelmap.pbtxt", "label_map.pbtxt", "labels.json", "classes.json",
    "data.yaml", "labels.csv",
  ]

  /// Finds the labels beside a model file.
  ///
  /// The file has the model's name with another suffix or, if the model is the only one in its
  /// folder, one of the usual names.
  static func besideModel(at path: String) throws(VisionError) -> (labels: Labels, path: String)? {
    let name = path.hasSuffix(modelEnding) ? String(path.dropLast(modelEnding.count)) : path
    for ending in endings where TextFile.exists(name + ending) {
      // A file with one of these suffixes may be about something else, such as training or the
      // licence.
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

/// Small text files beside a model.
enum TextFile {
  static func exists(_ path: String) -> Bool { (FileSystem.byteCount(of: path) ?? 0) > 0 }

  static func contents(of path: String) throws(VisionError) -> String {
    let bytes: [UInt8]
    do throws(FileError) { bytes = try FileSystem.read(path, limit: maximumByteCount) } catch {
      throw .unreadable(error.description)
    }
    return try text(of: bytes, named: path)
  }

  /// Decodes the bytes of a text file.
  ///
  /// - Throws: `VisionError.unreadable` when the bytes are not UTF-8 text.
  static func text(of bytes: [UInt8], named name: String) throws(VisionError) -> String {
    if let zero = bytes.firstIndex(of: 0) {
      let isUTF16 = bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF])
      throw .unreadable(
        "\(name): this is "
          + (isUTF16 ? "UTF-16; save it as UTF-8" : "no text: there is a zero at byte \(zero)"))
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw .unreadable("\(name): this is not UTF-8 text; save it as UTF-8")
    }
    return text
  }

  private static let maximumByteCount = 64 << 20
}
