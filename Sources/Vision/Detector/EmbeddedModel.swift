import OcellusEmbeddedModels
package import OcellusEngine
import OcellusPlatform
import Synchronization

/// The models that the package brings along: inside of programs that use `ObjectDetector()` and
/// `ImageLabeler()`, and as files.
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

  /// Where a model that was chosen in the place of the embedded one is: in `folder`, or in the folder of
  /// the environment variable `OCELLUS_MODELS`; `nil`: neither has one.
  package var chosenPath: String? { try? Self.path(of: rawValue, in: Self.chosenFolders) }

  /// The model inside of the program, read once however many detectors and labelers there are.
  package func model() throws(VisionError) -> Model {
    do throws(ModelError) {
      return switch self {
      case .detector: try Self.detectorModel.get()
      case .labeler: try Self.labelerModel.get()
      }
    } catch {
      throw .model(error)
    }
  }

  private static let detectorModel = Result { () throws(ModelError) in
    try Model(bytes: EmbeddedBytes.detector)
  }
  private static let labelerModel = Result { () throws(ModelError) in
    try Model(bytes: EmbeddedBytes.labeler)
  }

  /// Where the model is as a file: a model file, or a folder as AutoML exports it.
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

  private static var chosenFolders: [String] {
    [folder, ProcessEnvironment.value(of: "OCELLUS_MODELS")].compactMap { $0 }
      .filter { !$0.isEmpty }
  }

  private static var folders: [String] {
    chosenFolders + [installedFolder, packageFolder].compactMap { $0 }
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
