import OcellusPlatform
import Synchronization

/// The models that the package brings along, and where they are.
///
/// They were trained on drawn pictures, to try things with; for photographs bring a model that was
/// trained on photographs.
public enum EmbeddedModel: String, CaseIterable, Sendable {
  /// Finds things of the guides' coarse categories.
  case detector = "scenes-detector"
  /// Names the thing that fills a picture.
  case labeler = "scenes-labeler"

  /// The folder to look in before all others; `nil`: none.
  public static var folder: String? {
    get { chosenFolder.withLock { $0 } }
    set { chosenFolder.withLock { $0 = newValue } }
  }

  /// Where the model is: a model file, or a folder as AutoML exports it.
  ///
  /// - Throws: `VisionError.unreadable`, naming the places that were looked at.
  public var path: String {
    get throws(VisionError) { try Self.path(of: rawValue) }
  }

  /// Where the model `name` is, in the first of these folders that has it: `folder`, what the
  /// environment variable `OCELLUS_MODELS` names, `../share/ocellus/models` beside the running
  /// program, and the package's own `Models` for programs built in place.
  ///
  /// - Throws: `VisionError.unreadable`, naming the places that were looked at.
  public static func path(of name: String) throws(VisionError) -> String {
    try path(of: name, in: folders)
  }

  /// Where the model `name` is, in the first of `folders` that has it.
  package static func path(of name: String, in folders: [String]) throws(VisionError) -> String {
    for folder in folders {
      let place = folder + "/" + name
      if FileSystem.isReadable(place + ".tflite") { return place + ".tflite" }
      // An AutoML export is a folder; its files have the same names in every export.
      if FileSystem.isReadable(place + "/manifest.json")
        || FileSystem.isReadable(place + "/model.tflite")
      {
        return place
      }
    }
    throw .unreadable(
      "there is no model '\(name)'; looked for \(name).tflite and the folder \(name) in "
        + folders.joined(separator: ", ")
        + "; set OCELLUS_MODELS or EmbeddedModel.folder to the folder that has it")
  }

  /// Where the catalogue of public models is.
  package static var catalogPath: String {
    get throws(VisionError) {
      for folder in folders where FileSystem.isReadable(folder + "/catalog.json") {
        return folder + "/catalog.json"
      }
      throw .unreadable(
        "there is no catalog.json in " + folders.joined(separator: ", ")
          + "; set OCELLUS_MODELS to the folder that has it")
    }
  }

  private static let chosenFolder = Mutex<String?>(nil)

  private static var folders: [String] {
    let environment = getenv("OCELLUS_MODELS").map { String(cString: $0) }
    return [folder, environment, installedFolder, packageFolder].compactMap { $0 }
      .filter { !$0.isEmpty }
  }

  /// Where an installation puts data, seen from the program in its `bin`.
  private static var installedFolder: String? {
    guard let program = realpath("/proc/self/exe", nil) else { return nil }
    defer { free(program) }
    return String(cString: program).parentPath.parentPath + "/share/ocellus/models"
  }

  private static var packageFolder: String {
    // Sources/Vision/Detector/EmbeddedModel.swift
    (0..<4).reduce(#filePath) { path, _ in path.parentPath } + "/Models"
  }
}
