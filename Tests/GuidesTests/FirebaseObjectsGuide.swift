// swift-format-ignore-file
// The code of the guide "Detect and track objects with ML Kit on iOS". The lines between the marks
// are the guide's.
// guide {
import Firebase
// }

/// An app that follows the guide.
final class FirebaseObjectsApp {
  var shown: [VisionObject] = []
  var whenShown: (() -> Void)?

  func liveOptions() -> VisionObjectDetectorOptions {
    // guide {
    // Live detection and tracking
    let options = VisionObjectDetectorOptions()
    options.detectorMode = .stream
    options.shouldEnableMultipleObjects = false
    options.shouldEnableClassification = true  // Optional
    // }
    return options
  }

  func stillOptions() -> VisionObjectDetectorOptions {
    // guide {
    // Multiple object detection in static images
    let options = VisionObjectDetectorOptions()
    options.detectorMode = .singleImage
    options.shouldEnableMultipleObjects = true
    options.shouldEnableClassification = true  // Optional
    // }
    return options
  }

  func makeDetector() -> VisionObjectDetector {
    // guide {
    let objectDetector = Vision.vision().objectDetector()
    // }
    return objectDetector
  }

  func makeDetector(_ options: VisionObjectDetectorOptions) -> VisionObjectDetector {
    // guide {
    // Or, to change the default settings:
    let objectDetector = Vision.vision().objectDetector(options: options)
    // }
    return objectDetector
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

  func processLater(_ image: VisionImage, with objectDetector: VisionObjectDetector) {
    // guide {
    objectDetector.process(image) { detectedObjects, error in
      guard error == nil else {
        // Error.
    // }
        self.whenShown?()
    // guide {
        return
      }
      guard let detectedObjects = detectedObjects, !detectedObjects.isEmpty else {
        // No objects detected.
    // }
        self.whenShown?()
    // guide {
        return
      }

      // Success. Get object info here.
      // ...
    // }
      self.shown = detectedObjects
      self.whenShown?()
    // guide {
    }
    // }
  }

  func processNow(_ image: VisionImage, with objectDetector: VisionObjectDetector) {
    // guide {
    var results: [VisionObject]? = nil
    do {
      results = try objectDetector.results(in: image)
    } catch let error {
      print("Failed to detect object with error: \(error.localizedDescription).")
      return
    }
    guard let detectedObjects = results, !detectedObjects.isEmpty else {
      print("Object detector returned no results.")
      return
    }

    // ...
    // }
    shown = detectedObjects
  }

  func describe(_ detectedObjects: [VisionObject]) -> [String] {
    var lines: [String] = []
    // guide {
    // detectedObjects contains one item if multiple object detection wasn't enabled.
    for obj in detectedObjects {
      let bounds = obj.frame
      let id = obj.trackingID

      // If classification was enabled:
      let category = obj.classificationCategory
      let confidence = obj.confidence
    // }
      lines.append("\(id?.stringValue ?? "none") \(bounds) \(category) \(confidence as Any)")
    // guide {
    }
    // }
    return lines
  }
}
