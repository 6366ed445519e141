import Foundation
import OcellusModelFile
import OcellusPlatform
import OcellusTestSupport

/// Foundation's `Bundle`, with another main one: that of the tests is the folder of all tests.
enum Bundle {
  static let main = Foundation.Bundle(path: AppResources.folder.path) ?? .main
}

/// Files of the package under the names that the guides give to an app's resources.
enum AppResources {
  fileprivate static let folder: TemporaryDirectory = {
    do { return try makeFolder() } catch { fatalError("\(error)") }
  }()

  /// The folder of the package's models.
  static let models = PackageFiles.path("Models")

  private static func makeFolder() throws -> TemporaryDirectory {
    let folder = try TemporaryDirectory()
    let export = folder.path + "/your_model_directory"
    try FileSystem.createDirectory(export)
    for file in ["manifest.json", "dict.txt", "model.tflite"] {
      let bytes = try FileSystem.read(models + "/scenes-labeler/" + file)
      try FileSystem.write(bytes, to: export + "/" + file)
    }
    let detector = try FileSystem.read(models + "/scenes-detector.tflite")
    try FileSystem.write(try exportOfAutoML(detector), to: folder.path + "/model.tflite")
    let labels = try FileSystem.read(models + "/scenes-detector.labels.txt")
    try FileSystem.write(labels, to: folder.path + "/dict.txt")
    return folder
  }

  /// Returns the package's detector as AutoML exports one: for 320 by 320 pixels and 40 results.
  private static func exportOfAutoML(_ bytes: [UInt8]) throws -> [UInt8] {
    var writer = try ModelWriter(copying: ModelFile(ModelBytes(bytes)))
    var main = writer.subgraphs[0]
    let small = main.inputs[0]
    var large = main.tensors[small]
    large.shape = [1, 320, 320, 3]
    main.tensors += [
      large, .init("size", .int32, [2], constant: .init(bytesOf: [Int32(256), 256])),
    ]
    main.operators.insert(
      .init(
        OperatorCodeRecord(named: "RESIZE_BILINEAR", version: 3),
        inputs: [main.tensors.count - 2, main.tensors.count - 1], outputs: [small],
        options: .init(tag: BuiltinOptionsTag.resizeBilinear, [3: .bool(true)])),
      at: 0)
    main.inputs = [main.tensors.count - 2]
    for index in main.operators.indices where !main.operators[index].customOptions.isEmpty {
      let options = try main.operators[index].customOptions.withUnsafeBytes {
        try FlexValue(decoding: $0)
      }
      guard case .map(var values) = options else { continue }
      values["max_detections"] = .int(40)
      main.operators[index].customOptions = FlexValue.map(values).encoded
    }
    for output in main.outputs.prefix(3) where main.tensors[output].shape.count > 1 {
      main.tensors[output].shape[1] = 40
    }
    writer.subgraphs[0] = main
    return writer.bytes()
  }
}
