// swift-format-ignore-file
// The code of the guide "Detect, track and classify objects with a custom classification model on
// iOS". The lines between the marks are the guide's; a changed line quotes the original.
import MLKitCommon
import MLKitLinkFirebase
import MLKitObjectDetectionCommon
import MLKitObjectDetectionCustom
import MLKitVision

/// An app that follows the guide.
final class CustomModelApp {
  let localModelFilePath: String
  var news: [String] = []
  var shown: [Object] = []
  var whenShown: (() -> Void)?

  init(localModelFilePath: String) {
    self.localModelFilePath = localModelFilePath
  }

  func makeLocalModel() -> LocalModel {
    // guide {
    let localModel = LocalModel(path: localModelFilePath)
    // }
    return localModel
  }

  func makeRemoteModel() -> CustomRemoteModel {
    // guide {
    let firebaseModelSource = FirebaseModelSource(
        name: "your_remote_model") // The name you assigned in
                                   // the Firebase console.
    let remoteModel = CustomRemoteModel(remoteModelSource: firebaseModelSource)
    // }
    return remoteModel
  }

  func download(_ remoteModel: CustomRemoteModel) -> Progress {
    // guide {
    let downloadConditions = ModelDownloadConditions(
      allowsCellularAccess: true,
      allowsBackgroundDownloading: true
    )

    let downloadProgress = ModelManager.modelManager().download(
      remoteModel,
      conditions: downloadConditions
    )
    // }
    return downloadProgress
  }

  func localOptions(_ localModel: LocalModel) -> CustomObjectDetectorOptions {
    // guide {
    let options = CustomObjectDetectorOptions(localModel: localModel)
    options.detectorMode = .singleImage
    options.shouldEnableClassification = true
    options.shouldEnableMultipleObjects = true
    options.classificationConfidenceThreshold = NSNumber(value: 0.5)
    options.maxPerObjectLabelCount = 3
    // }
    return options
  }

  func chosenOptions(
    _ remoteModel: CustomRemoteModel, _ localModel: LocalModel
  ) -> CustomObjectDetectorOptions {
    // guide {
    var options: CustomObjectDetectorOptions!
    if (ModelManager.modelManager().isModelDownloaded(remoteModel)) {
      options = CustomObjectDetectorOptions(remoteModel: remoteModel)
    } else {
      options = CustomObjectDetectorOptions(localModel: localModel)
    }
    options.detectorMode = .singleImage
    options.shouldEnableClassification = true
    options.shouldEnableMultipleObjects = true
    options.classificationConfidenceThreshold = NSNumber(value: 0.5)
    options.maxPerObjectLabelCount = 3
    // }
    return options
  }

  func observe() {
    // guide {
    NotificationCenter.default.addObserver(
        forName: .mlkitModelDownloadDidSucceed,
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
        forName: .mlkitModelDownloadDidFail,
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

  func liveOptions(_ localModel: LocalModel) -> CustomObjectDetectorOptions {
    // guide {
    // Live detection and tracking
    let options = CustomObjectDetectorOptions(localModel: localModel)
    options.shouldEnableClassification = true
    options.maxPerObjectLabelCount = 3
    // }
    return options
  }

  func stillOptions(_ localModel: LocalModel) -> CustomObjectDetectorOptions {
    // guide {
    // Multiple object detection in static images
    let options = CustomObjectDetectorOptions(localModel: localModel)
    options.detectorMode = .singleImage
    options.shouldEnableMultipleObjects = true
    options.shouldEnableClassification = true
    options.maxPerObjectLabelCount = 3
    // }
    return options
  }

  func visionImage(_ image: UIImage) -> VisionImage {
    // guide {
    let visionImage = VisionImage(image: image)  // was: let image = VisionImage(image: UIImage)
    visionImage.orientation = image.imageOrientation
    // }
    return visionImage
  }

  // guide {
  func imageOrientation(
    deviceOrientation: UIDeviceOrientation,
    cameraPosition: AVCaptureDevice.Position
  ) -> UIImage.Orientation {
    switch deviceOrientation {
    case .portrait:
      return cameraPosition == .front ? .leftMirrored : .right
    case .landscapeLeft:
      return cameraPosition == .front ? .downMirrored : .up
    case .portraitUpsideDown:
      return cameraPosition == .front ? .rightMirrored : .left
    case .landscapeRight:
      return cameraPosition == .front ? .upMirrored : .down
    case .faceDown, .faceUp, .unknown:
      return .up
    }
  }
  // }

  func visionImage(
    _ sampleBuffer: CMSampleBuffer, _ cameraPosition: AVCaptureDevice.Position
  ) -> VisionImage {
    // guide {
    let image = VisionImage(buffer: sampleBuffer)
    image.orientation = imageOrientation(
      deviceOrientation: UIDevice.current.orientation,
      cameraPosition: cameraPosition)
    // }
    return image
  }

  func makeDetector(_ options: CustomObjectDetectorOptions) -> ObjectDetector {
    // guide {
    let objectDetector = ObjectDetector.objectDetector(options: options)
    // }
    return objectDetector
  }

  func processLater(_ image: VisionImage, with objectDetector: ObjectDetector) {
    // guide {
    objectDetector.process(image) { objects, error in
        guard error == nil, let objects = objects, !objects.isEmpty else {
            // Handle the error.
    // }
            self.whenShown?()
    // guide {
            return
        }
        // Show results.
    // }
        self.shown = objects
        self.whenShown?()
    // guide {
    }
    // }
  }

  func processNow(_ image: VisionImage, with objectDetector: ObjectDetector) {
    // guide {
    var objects: [Object]
    do {
        objects = try objectDetector.results(in: image)
    } catch let error {
        // Handle the error.
        return
    }
    // Show results.
    // }
    shown = objects
  }

  func describe(_ objects: [Object]) -> [String] {
    var lines: [String] = []
    // guide {
    // objects contains one item if multiple object detection wasn't enabled.
    for object in objects {
      let frame = object.frame
      let trackingID = object.trackingID
      let description = object.labels.enumerated().map { (index, label) in
        "Label \(index): \(label.text), \(label.confidence), \(label.index)"
      }.joined(separator: "\n")
    // }
      lines.append("\(trackingID?.stringValue ?? "none") \(frame)\n\(description)")
    // guide {
    }
    // }
    return lines
  }
}
