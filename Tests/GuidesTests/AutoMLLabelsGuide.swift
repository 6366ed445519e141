// swift-format-ignore-file
// The code of the guide "Label images with an AutoML-trained model on iOS". The lines between the
// marks are the guide's; a changed line quotes the original.
// guide {
import Firebase
// }

/// An app that follows the guide.
final class AutoMLLabelsApp {
  var news: [String] = []
  var shown: [VisionImageLabel] = []
  var whenShown: (() -> Void)?
  var localModel: AutoMLLocalModel?

  func makeRemoteModel() -> AutoMLRemoteModel {
    // guide {
    let remoteModel = AutoMLRemoteModel(
        name: "your_remote_model"  // The name you assigned in the Firebase console.
    )
    // }
    return remoteModel
  }

  func download(_ remoteModel: AutoMLRemoteModel) -> Progress {
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

  func loadLocalModel() -> Bool {
    // guide {
    guard let manifestPath = Bundle.main.path(
        forResource: "manifest",
        ofType: "json",
        inDirectory: "your_model_directory"
    ) else { return true }
    let localModel = AutoMLLocalModel(manifestPath: manifestPath)
    // }
    self.localModel = localModel
    return true
  }

  func makeLabeler(_ localModel: AutoMLLocalModel) -> VisionImageLabeler {
    // guide {
    let options = VisionOnDeviceAutoMLImageLabelerOptions(localModel: localModel)
    options.confidenceThreshold = 0  // Evaluate your model in the Firebase console
                                     // to determine an appropriate value.
    let labeler = Vision.vision().onDeviceAutoMLImageLabeler(options: options)
    // }
    return labeler
  }

  func makeLabeler(
    _ remoteModel: AutoMLRemoteModel, _ localModel: AutoMLLocalModel
  ) -> VisionImageLabeler {
    // The guide uses an optional without unwrapping it.
    // guide {
    var options: VisionOnDeviceAutoMLImageLabelerOptions  // was: var options: VisionOnDeviceAutoMLImageLabelerOptions?
    if (ModelManager.modelManager().isModelDownloaded(remoteModel)) {
      options = VisionOnDeviceAutoMLImageLabelerOptions(remoteModel: remoteModel)
    } else {
      options = VisionOnDeviceAutoMLImageLabelerOptions(localModel: localModel)
    }
    options.confidenceThreshold = 0  // Evaluate your model in the Firebase console
                                     // to determine an appropriate value.
    let labeler = Vision.vision().onDeviceAutoMLImageLabeler(options: options)
    // }
    return labeler
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

  func visionImage(_ uiImage: UIImage) -> VisionImage {
    // guide {
    let image = VisionImage(image: uiImage)
    // }
    return image
  }

  // guide {
  func imageOrientation(
      deviceOrientation: UIDeviceOrientation,
      cameraPosition: AVCaptureDevice.Position
      ) -> VisionDetectorImageOrientation {
      switch deviceOrientation {
      case .portrait:
          return cameraPosition == .front ? .leftTop : .rightTop
      case .landscapeLeft:
          return cameraPosition == .front ? .bottomLeft : .topLeft
      case .portraitUpsideDown:
          return cameraPosition == .front ? .rightBottom : .leftBottom
      case .landscapeRight:
          return cameraPosition == .front ? .topRight : .bottomRight
      case .faceDown, .faceUp, .unknown:
          return .leftTop
      }
  }
  // }

  func visionImage(_ sampleBuffer: CMSampleBuffer) -> VisionImage {
    // guide {
    let cameraPosition = AVCaptureDevice.Position.back  // Set to the capture device you used.
    let metadata = VisionImageMetadata()
    metadata.orientation = imageOrientation(
        deviceOrientation: UIDevice.current.orientation,
        cameraPosition: cameraPosition
    )
    // }
    // guide {
    let image = VisionImage(buffer: sampleBuffer)
    image.metadata = metadata
    // }
    return image
  }

  func process(_ image: VisionImage, with labeler: VisionImageLabeler) {
    // guide {
    labeler.process(image) { labels, error in
        guard error == nil, let labels = labels else { return }

        // Task succeeded.
        // ...
    // }
        self.shown = labels
        self.whenShown?()
    // guide {
    }
    // }
  }

  func describe(_ labels: [VisionImageLabel]) -> [String] {
    var lines: [String] = []
    // guide {
    for label in labels {
        let labelText = label.text
        let confidence = label.confidence
    // }
        lines.append("\(labelText) \(confidence as Any)")
    // guide {
    }
    // }
    return lines
  }
}
