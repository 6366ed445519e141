import OcellusEngine
import OcellusImaging
import OcellusJSON
import OcellusPlatform

/// A model with the files beside it: a plain model file, or an export of AutoML Vision Edge.
///
/// A classification export has the files `manifest.json`, `dict.txt` and `model.tflite`; a
/// detection export has `tflite_metadata.json` in place of the manifest.
package struct ModelPackage {
  /// The model file.
  package let modelPath: String
  /// The input size that the export states.
  let inputSize: PixelSize?
  /// The maximum number of detections that the export states.
  let maximumDetections: Int?
  private let labelsPath: String?

  /// Opens the package at a path: a model file, a manifest, or a folder.
  package init(path: String) throws(VisionError) {
    if path.hasSuffix(".json") {
      try self.init(manifest: path)
    } else if TextFile.exists(path + "/manifest.json") {
      try self.init(manifest: path + "/manifest.json")
    } else if TextFile.exists(path + "/model.tflite") {
      self.init(model: path + "/model.tflite", labels: nil, facts: try Self.exportFacts(in: path))
    } else {
      self.init(model: path, labels: nil, facts: try Self.exportFacts(in: path.parentPath))
    }
  }

  private init(model: String, labels: String?, facts: ExportFacts?) {
    modelPath = model
    inputSize = facts?.size
    maximumDetections = facts?.maximumDetections
    let besideModel = model.parentPath + "/dict.txt"
    // A dict.txt is used only in exports; in other folders it may belong to another model.
    labelsPath = labels ?? (facts != nil && TextFile.exists(besideModel) ? besideModel : nil)
  }

  private init(manifest path: String) throws(VisionError) {
    let manifest = try Self.object(path)
    let folder = path.parentPath
    guard let model = manifest["modelFile"]?.string else {
      throw .unreadable("\(path): there is no \"modelFile\"")
    }
    for name in [model, manifest["labelsFile"]?.string ?? ""] where !Self.staysInside(name) {
      throw .unreadable("\(path): '\(name)' is not a file of the package")
    }
    self.init(
      model: folder + "/" + model, labels: manifest["labelsFile"]?.string.map { folder + "/" + $0 },
      facts: try Self.exportFacts(in: folder))
  }

  /// Reads the model.
  func model() throws(VisionError) -> Model {
    var clock = EventClock()
    do throws(ModelError) {
      let model = try Model(path: modelPath)
      VisionEvent.report(.modelLoaded(path: modelPath, time: clock.lap()))
      return model
    } catch {
      throw .model(error)
    }
  }

  /// Reads the labels of the package or, when it has none, the labels beside the model file.
  func labels() throws(VisionError) -> (labels: Labels, source: String)? {
    if let labelsPath { return (try Labels(contentsOf: labelsPath), "the file \(labelsPath)") }
    return try Labels.besideModel(at: modelPath).map { ($0.labels, "the file \($0.path)") }
  }

  // MARK: Files

  private struct ExportFacts {
    var size: PixelSize?
    var maximumDetections: Int?
  }

  /// Reads `tflite_metadata.json`, for detection and for classification.
  private static func exportFacts(in folder: String) throws(VisionError) -> ExportFacts? {
    let path = folder + "/tflite_metadata.json"
    guard TextFile.exists(path) else { return nil }
    let object = try object(path)
    var facts = ExportFacts()
    facts.maximumDetections = object["maxDetections"]?.integer.flatMap { $0 > 0 ? $0 : nil }
    let shape = object["inputShape"]?.array?.compactMap(\.integer) ?? []
    if shape.count == 4 {
      facts.size = PixelSize(width: shape[2], height: shape[1])
    } else if let width = object["imageWidth"]?.integer, let height = object["imageHeight"]?.integer
    {
      facts.size = PixelSize(width: width, height: height)
    }
    if let size = facts.size {
      do throws(ImageError) { try ImageLimits().check(size) } catch {
        throw .unreadable("\(path): \(error.message)")
      }
    }
    return facts
  }

  /// Parses a JSON file; trailing commas are accepted, as they are common in manifests.
  private static func object(_ path: String) throws(VisionError) -> JSONObject {
    let text = try TextFile.contents(of: path)
    do throws(JSONError) {
      guard let object = try JSONParser.parse(Array(text.utf8), allowsTrailingCommas: true).object
      else { throw JSONError(byteOffset: 0, problem: "an object should be here") }
      return object
    } catch {
      throw .unreadable("\(path): \(error.description)")
    }
  }

  /// Whether a file named by a manifest lies in the package, as untrusted manifests require.
  private static func staysInside(_ name: String) -> Bool {
    !name.hasPrefix("/") && !name.split(separator: "/").contains("..")
  }
}
