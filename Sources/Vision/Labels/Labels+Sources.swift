import OcellusPlatform

extension Labels {
  /// Reads a label file.
  public init(contentsOf path: String) throws(VisionError) {
    self.init(parsing: try TextFile.contents(of: path))
  }

  /// The labels beside a model file: `model.txt`, `model_labels.txt`, `model.labels`, `model.names`.
  static func besideModel(at path: String) throws(VisionError) -> (labels: Labels, path: String)? {
    let name = path.hasSuffix(".tflite") ? String(path.dropLast(".tflite".count)) : path
    for ending in [".txt", "_labels.txt", ".labels", ".names"] where TextFile.exists(name + ending)
    {
      return (try Labels(contentsOf: name + ending), name + ending)
    }
    return nil
  }
}

/// Small files of text beside a model.
enum TextFile {
  static func exists(_ path: String) -> Bool { (FileSystem.byteCount(of: path) ?? 0) > 0 }

  static func contents(of path: String) throws(VisionError) -> String {
    do throws(FileError) {
      let bytes = try FileSystem.read(path, limit: maximumByteCount)
      return String(decoding: bytes, as: UTF8.self)
    } catch {
      throw .unreadable(error.description)
    }
  }

  private static let maximumByteCount = 64 << 20
}
