// swift-format-ignore-file
// The code of the guide "Detect objects in images with an AutoML-trained model on Apple platforms".
// The lines between the marks are the guide's; a changed line quotes the original. The guide names
// no imports: these are the modules of its pods.
import Firebase
import TensorFlowLite

/// An app that follows the guide.
final class AutoMLObjectsApp {
  var interpreter: Interpreter?
  var news: [String] = []

  func makeRemoteModel() -> CustomRemoteModel {
    // guide {
    let remoteModel = CustomRemoteModel(
        name: "your_remote_model"  // The name you assigned in the Google Cloud console.
    )
    // }
    return remoteModel
  }

  func download(_ remoteModel: CustomRemoteModel) -> Progress {
    // guide {
    let downloadProgress = ModelManager.modelManager().download(
        remoteModel,
        conditions: ModelDownloadConditions(
            allowsCellularAccess: true,
            allowsBackgroundDownloading: true
        )
    )
    // }
    return downloadProgress
  }

  func loadLocalModel() throws -> Bool {
    // guide {
    guard let modelPath = Bundle.main.path(
        forResource: "model",
        ofType: "tflite"
    ) else {
      print("Failed to load the model file.")
      return true
    }
    let interpreter = try Interpreter(modelPath: modelPath)
    try interpreter.allocateTensors()
    // }
    self.interpreter = interpreter
    return true
  }

  func loadModel(_ remoteModel: CustomRemoteModel) throws {
    // The guide passes an optional path without unwrapping it.
    // guide {
    var modelPath: String?
    if ModelManager.modelManager().isModelDownloaded(remoteModel) {
        ModelManager.modelManager().getLatestModelFilePath(remoteModel) { path, error in
            guard error == nil else { return }
            guard let path = path else { return }
            modelPath = path
        }
    } else {
        modelPath = Bundle.main.path(
            forResource: "model",
            ofType: "tflite"
        )
    }

    guard let modelPath else { return }  // was: guard modelPath != nil else { return }
    let interpreter = try Interpreter(modelPath: modelPath)
    try interpreter.allocateTensors()
    // }
    self.interpreter = interpreter
  }

  func observe() {
    // guide {
    NotificationCenter.default.addObserver(
        forName: .firebaseMLModelDownloadDidSucceed,
        object: nil,
        queue: nil
    ) { [weak self] notification in
        guard let strongSelf = self,
            let userInfo = notification.userInfo,
            let model = userInfo[ModelDownloadUserInfoKey.remoteModel.rawValue]
                as? RemoteModel,
            model.name == "your_remote_model"
            else { return }
        // The model was downloaded and is available on the device
    // }
        strongSelf.news.append("\(model.name) is here")
    // guide {
    }

    NotificationCenter.default.addObserver(
        forName: .firebaseMLModelDownloadDidFail,
        object: nil,
        queue: nil
    ) { [weak self] notification in
        guard let strongSelf = self,
            let userInfo = notification.userInfo,
            let model = userInfo[ModelDownloadUserInfoKey.remoteModel.rawValue]
                as? RemoteModel
            else { return }
        let error = userInfo[ModelDownloadUserInfoKey.error.rawValue]
        // ...
    // }
        strongSelf.news.append("\(model.name): \(error.map { "\($0)" } ?? "no error")")
    // guide {
    }
    // }
  }

  func inputData(_ yourImage: CGImage?) -> Data? {
    // The guide omits the source of the picture, and confuses columns with rows.
    // guide {
    guard let image: CGImage = yourImage else { return nil }  // was: guard let image: CGImage = // Your input image
    guard let context = CGContext(
      data: nil,
      width: image.width, height: image.height,
      bitsPerComponent: 8, bytesPerRow: image.width * 4,
      space: CGColorSpaceCreateDeviceRGB(),
      bitmapInfo: CGImageAlphaInfo.noneSkipFirst.rawValue
    ) else {
      return nil
    }

    context.draw(image, in: CGRect(x: 0, y: 0, width: image.width, height: image.height))
    guard let imageData = context.data else { return nil }

    var inputData = Data()
    for row in 0 ..< 320 {    // Model takes 320x320 pixel images as input
      for col in 0 ..< 320 {
        let offset = 4 * (row * context.width + col)  // was: let offset = 4 * (col * context.width + row)
        // (Ignore offset 0, the unused alpha channel)
        var red = imageData.load(fromByteOffset: offset+1, as: UInt8.self)
        var green = imageData.load(fromByteOffset: offset+2, as: UInt8.self)
        var blue = imageData.load(fromByteOffset: offset+3, as: UInt8.self)

        inputData.append(&red, count: 1)
        inputData.append(&green, count: 1)
        inputData.append(&blue, count: 1)
      }
    }
    // }
    return inputData
  }

  func run(_ interpreter: Interpreter, on inputData: Data) throws -> Bool {
    // guide {
    try interpreter.copy(inputData, toInputAt: 0)
    try interpreter.invoke()
    // }
    // guide {
    var output = try interpreter.output(at: 0)
    let boundingBoxes =
        UnsafeMutableBufferPointer<Float32>.allocate(capacity: 4 * 40)
    output.data.copyBytes(to: boundingBoxes)

    output = try interpreter.output(at: 1)
    let labels =
        UnsafeMutableBufferPointer<Float32>.allocate(capacity: 40)
    output.data.copyBytes(to: labels)

    output = try interpreter.output(at: 2)
    let probabilities =
        UnsafeMutableBufferPointer<Float32>.allocate(capacity: 40)
    output.data.copyBytes(to: probabilities)
    // }
    defer {
      boundingBoxes.deallocate()
      labels.deallocate()
      probabilities.deallocate()
    }
    // The guide's offsets of a box's coordinates are wrong.
    // guide {
    guard let labelPath = Bundle.main.path(
        forResource: "dict",
        ofType: "txt"
    ) else { return true }
    let fileContents = try? String(contentsOfFile: labelPath)
    guard let labelText = fileContents?.components(separatedBy: "\n") else { return true }

    for i in 0 ..< 40 {
        let top = boundingBoxes[4 * i]  // was: let top = boundingBoxes[0 * i]
        let left = boundingBoxes[4 * i + 1]  // was: let left = boundingBoxes[1 * i]
        let bottom = boundingBoxes[4 * i + 2]  // was: let bottom = boundingBoxes[2 * i]
        let right = boundingBoxes[4 * i + 3]  // was: let right = boundingBoxes[3 * i]

        let labelIdx = Int(labels[i])
        let label = labelText[labelIdx]
        let confidence = probabilities[i]

        if confidence > 0.66 {
            print("Object found: \(label) (confidence: \(confidence))")
            print("  Top-left: (\(left),\(top))")
            print("  Bottom-right: (\(right),\(bottom))")
    // }
            news.append(label)
    // guide {
        }
    }
    // }
    return true
  }
}
