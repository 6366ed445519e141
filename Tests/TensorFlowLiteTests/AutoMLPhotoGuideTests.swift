import FirebaseMLVision
import Foundation
import OcellusTestSupport
import TensorFlowLite
import Testing

/// The AutoML Vision Edge guide for object detection on iOS, from the choice of the model to the
/// output.
///
/// An `Image` replaces the guide's `CGImage` and `CGContext`. Errors of the guide are corrected as
/// in `AutoMLGuideTests`, and the path is unwrapped. The guide uses the path after a call whose
/// callback might come later; here the callback comes before the call returns.
@Suite(.enabled(if: SharedFiles.arePresent, "\(SharedFiles.missing)"))
struct AutoMLPhotoGuideTests {
  private let zoo = SharedFiles.folder.appending(path: "zoo").path

  // MARK: 1. Load the model

  private let remoteModel = CustomRemoteModel(
    name: "your_remote_detector"  // The name you assigned in the Google Cloud console.
  )

  private func download() -> Progress {
    let downloadProgress = ModelManager.modelManager().download(
      remoteModel,
      conditions: ModelDownloadConditions(
        allowsCellularAccess: true,
        allowsBackgroundDownloading: true
      )
    )
    return downloadProgress
  }

  private func makeInterpreter(localModelPath: String) throws -> Interpreter? {
    var modelPath: String?
    if ModelManager.modelManager().isModelDownloaded(remoteModel) {
      ModelManager.modelManager().getLatestModelFilePath(remoteModel) { path, error in
        guard error == nil else { return }
        guard let path = path else { return }
        modelPath = path
      }
    } else {
      modelPath = localModelPath
    }

    guard let modelPath else { return nil }
    let interpreter = try Interpreter(modelPath: modelPath)
    try interpreter.allocateTensors()
    return interpreter
  }

  // MARK: 2. Prepare the input image

  private func inputData(_ image: Image) throws -> Data {
    let context = try image.converted(to: .rgba8)
    let width = context.storedSize.width
    return context.withUnsafeBytes { imageData in
      var inputData = Data()
      for row in 0..<320 {  // Model takes 320x320 pixel images as input
        for col in 0..<320 {
          let offset = 4 * (row * width + col)
          // (Ignore the unused alpha channel)
          var red = imageData.load(fromByteOffset: offset, as: UInt8.self)
          var green = imageData.load(fromByteOffset: offset + 1, as: UInt8.self)
          var blue = imageData.load(fromByteOffset: offset + 2, as: UInt8.self)

          inputData.append(&red, count: 1)
          inputData.append(&green, count: 1)
          inputData.append(&blue, count: 1)
        }
      }
      return inputData
    }
  }

  // MARK: 3. and 4. Run the object detector, and get information about detected objects

  private func numbers(_ interpreter: Interpreter, output index: Int, count: Int) throws -> [Float]
  {
    let output = try interpreter.output(at: index)
    let buffer = UnsafeMutableBufferPointer<Float32>.allocate(capacity: count)
    defer { buffer.deallocate() }
    #expect(output.data.copyBytes(to: buffer) == 4 * count)
    return Array(buffer)
  }

  private func lines(_ interpreter: Interpreter, labelPath: String) throws -> [String] {
    let boundingBoxes = try numbers(interpreter, output: 0, count: 4 * 40)
    let labels = try numbers(interpreter, output: 1, count: 40)
    let probabilities = try numbers(interpreter, output: 2, count: 40)

    let fileContents = try? String(contentsOfFile: labelPath, encoding: .utf8)
    guard let labelText = fileContents?.components(separatedBy: "\n") else { return [] }

    var lines: [String] = []
    for i in 0..<40 {
      let top = boundingBoxes[4 * i]
      let left = boundingBoxes[4 * i + 1]
      let bottom = boundingBoxes[4 * i + 2]
      let right = boundingBoxes[4 * i + 3]

      let labelIdx = Int(labels[i])
      let label = labelText[labelIdx]
      let confidence = probabilities[i]

      if confidence > 0.66 {
        lines.append("Object found: \(label) (confidence: \(confidence))")
        lines.append("  Top-left: (\(rounded(left)),\(rounded(top)))")
        lines.append("  Bottom-right: (\(rounded(right)),\(rounded(bottom)))")
      }
    }
    return lines
  }

  private func rounded(_ number: Float) -> Float { (number * 1000).rounded() / 1000 }

  @Test func findsTheSalad() throws {
    let directory = try TemporaryDirectory()
    let labelPath = try labelFile(in: directory)
    let interpreter = try #require(
      try makeInterpreter(localModelPath: zoo + "/models/salad1_automl.tflite"))
    try expectSalad(interpreter, labelPath: labelPath)
    withExtendedLifetime(directory) {}
  }

  /// Without a local model, the downloaded model gives the same result.
  @Test(.enabled(if: WebServer.isAvailable, "\(WebServer.missing)"))
  func findsTheSaladWithTheDownloadedModel() async throws {
    ModelManager.configure(try #require(GuideModels.shared).store)
    let directory = try TemporaryDirectory()
    let labelPath = try labelFile(in: directory)
    let progress = download()
    while !progress.isFinished { try await Task.sleep(for: .milliseconds(10)) }
    let interpreter = try #require(try makeInterpreter(localModelPath: "/nowhere.tflite"))
    try expectSalad(interpreter, labelPath: labelPath)
    withExtendedLifetime(directory) {}
  }

  private func labelFile(in directory: TemporaryDirectory) throws -> String {
    let labelPath = directory.path + "/dict.txt"
    try "Cheese\nSalad\nBaked Goods\nTomato\nSeafood\n".write(
      toFile: labelPath, atomically: true, encoding: .utf8)
    return labelPath
  }

  private func expectSalad(_ interpreter: Interpreter, labelPath: String) throws {
    let image = try Image(contentsOf: zoo + "/images/photos/meal_three.jpg")
      .resized(to: PixelSize(width: 320, height: 320), using: .pillowBilinear)

    try interpreter.copy(inputData(image), toInputAt: 0)
    try interpreter.invoke()

    // The official reference kernels give these results in Python, after Pillow's bilinear
    // resizing.
    #expect(
      try lines(interpreter, labelPath: labelPath) == [
        "Object found: Salad (confidence: 0.91015625)", "  Top-left: (0.093,0.138)",
        "  Bottom-right: (0.859,0.834)",
        "Object found: Cheese (confidence: 0.86328125)", "  Top-left: (0.412,0.127)",
        "  Bottom-right: (0.527,0.319)",
        "Object found: Cheese (confidence: 0.7734375)", "  Top-left: (0.569,0.596)",
        "  Bottom-right: (0.754,0.79)",
        "Object found: Cheese (confidence: 0.7734375)", "  Top-left: (0.669,0.306)",
        "  Bottom-right: (0.858,0.594)",
      ])
  }
}
