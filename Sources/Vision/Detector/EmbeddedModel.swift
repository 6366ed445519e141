import OcellusEmbeddedModels
package import OcellusEngine
import OcellusPlatform
import Synchronization

/// The models that come with this package.
///
/// They are embedded in programs that use `ObjectDetector()` and `ImageLabeler()`, and also exist
/// as files. They know drawn scenes only and serve for first experiments: what they say about a
/// photograph is wrong, with high scores at times. For photographs, use a model that was trained on
/// photographs; `ocellus models default NAME` makes a public one the default.
public enum EmbeddedModel: String, CaseIterable, Sendable {
  /// Detects objects of the guides' coarse categories.
  case detector = "scenes-detector"
  /// Classifies the object that fills a picture.
  case labeler = "scenes-labeler"

  /// The folder that is searched for models before all others; `nil`: none.
  public static var folder: String? {
    get { chosenFolder.withLock { $0 } }
    set { chosenFolder.withLock { $0 = newValue } }
  }

  /// Returns the embedded model, which is parsed once per process.
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

  /// The path of the model: a model file, or a folder that AutoML exported.
  ///
  /// - Throws: `VisionError.unreadable` with a list of the folders that were searched.
  public var path: String {
    get throws(VisionError) { try Self.path(of: rawValue) }
  }

  /// Returns the path of the model `name`, in the first folder that has it.
  ///
  /// The folders are: `folder`, the value of the environment variable `OCELLUS_MODELS`,
  /// `../share/ocellus/models` relative to the running program's folder, and the package's own
  /// `Models` for programs built in place.
  ///
  /// - Throws: `VisionError.unreadable` with a list of the folders that were searched.
  public static func path(of name: String) throws(VisionError) -> String {
    try path(of: name, in: folders)
  }

  /// Returns the path of the model `name`, in the first of `folders` that has it.
  package static func path(of name: String, in folders: [String]) throws(VisionError) -> String {
    for folder in folders {
      let basePath = folder + "/" + name
      if FileSystem.isReadable(basePath + ".tflite") { return basePath + ".tflite" }
      // An AutoML export is a folder; its files have the same names in every export.
      if FileSystem.isReadable(basePath + "/manifest.json")
        || FileSystem.isReadable(basePath + "/model.tflite")
      {
        return basePath
      }
    }
    throw .unreadable(
      "there is no model '\(name)'; looked for \(name).tflite and the folder \(name) in "
        + folders.joined(separator: ", ")
        + "; set OCELLUS_MODELS or EmbeddedModel.folder to the folder that has it")
  }

  /// The path of the catalogue of public models.
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

  /// The folder that the environment variable `OCELLUS_MODELS` names; `nil`: none.
  static var environmentFolder: String? { ProcessEnvironment.value(of: "OCELLUS_MODELS") }

  private static var folders: [String] {
    [folder, environmentFolder, installedFolder, packageFolder].compactMap { $0 }
      .filter { !$0.isEmpty }
  }

  /// The data folder of an installation whose program lies in `bin`.
  private static var installedFolder: String? {
    guard let program = realpath("/proc/self/exe", nil) else { return nil }
    defer { free(program) }
    return String(cString: program).parentPath.parentPath + "/share/ocellus/models"
  }

  /// The folder in the sources; none in a release, whose bytes do not tell where it was built.
  private static var packageFolder: String? {
    #if INSTALLED
      nil
    #else
      // Sources/Vision/Detector/EmbeddedModel.swift
      (0..<4).reduce(#filePath) { path, _ in path.parentPath } + "/Models"
    #endif
  }
}
