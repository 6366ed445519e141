import FirebaseMLVision
import Foundation
import OcellusTestSupport
import Testing

/// The code of the Firebase guide that detects and tracks objects on iOS, with `Image` and
/// `SampleBuffer` in place of `UIImage` and `CMSampleBuffer`, and the orientations of devices and
/// cameras by our names.
///
/// The base model, which the guide's pod brings along, is named.
@Suite struct ObjectDetectionGuideTests {
  private let models: SyntheticModelFiles
  private let picture = Image(uninitialized: .rgb8, size: PixelSize(width: 40, height: 20))

  init() throws { models = try SyntheticModelFiles() }

  // MARK: 1. Configure the object detector

  private func liveOptions() -> VisionObjectDetectorOptions {
    // Live detection and tracking
    let options = VisionObjectDetectorOptions()
    options.detectorMode = .stream
    options.shouldEnableMultipleObjects = false
    options.shouldEnableClassification = true  // Optional
    return options
  }

  private func stillOptions() -> VisionObjectDetectorOptions {
    // Multiple object detection in static images
    let options = VisionObjectDetectorOptions()
    options.detectorMode = .singleImage
    options.shouldEnableMultipleObjects = true
    options.shouldEnableClassification = true  // Optional
    return options
  }

  private func objectDetector(_ options: VisionObjectDetectorOptions) -> VisionObjectDetector {
    Vision.vision().objectDetector(
      options: options, detectorModel: CustomLocalModel(modelPath: models.detector))
  }

  // MARK: 2. Run the object detector

  private func imageOrientation(
    deviceOrientation: DeviceOrientation,
    cameraPosition: CameraPosition
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

  private func lines(_ detectedObjects: [VisionObject]) -> [String] {
    var lines: [String] = []
    // detectedObjects contains one item if multiple object detection wasn't enabled.
    for obj in detectedObjects {
      let bounds = obj.frame
      let id = obj.trackingID

      // If classification was enabled:
      let category = obj.classificationCategory
      let confidence = obj.confidence
      lines.append(
        "\(id?.stringValue ?? "none"): \(category) \(confidence?.stringValue ?? "none") "
          + "at \(Int(bounds.minX)), \(Int(bounds.minY))")
    }
    return lines
  }

  @Test func asynchronously() async {
    let image = VisionImage(image: picture)
    let objectDetector = objectDetector(stillOptions())

    let found = await withCheckedContinuation { continuation in
      objectDetector.process(image) { detectedObjects, error in
        guard error == nil else {
          // Error.
          return continuation.resume(returning: [VisionObject]())
        }
        guard let detectedObjects = detectedObjects, !detectedObjects.isEmpty else {
          // No objects detected.
          return continuation.resume(returning: [])
        }

        // Success. Get object info here.
        continuation.resume(returning: detectedObjects)
      }
    }
    #expect(lines(found) == ["none: food 0.75 at 0, 0", "none: plants 0.5 at 20, 10"])
  }

  @Test func synchronouslyInAStream() {
    let objectDetector = objectDetector(liveOptions())
    var shown: [String] = []
    for frame in 0..<6 {
      let cameraPosition = CameraPosition.back  // Set to the capture device you used.
      let metadata = VisionImageMetadata()
      metadata.orientation = imageOrientation(
        deviceOrientation: .portrait,
        cameraPosition: cameraPosition
      )
      let sampleBuffer = SampleBuffer(image: picture, presentationTime: .milliseconds(33 * frame))
      let image = VisionImage(buffer: sampleBuffer)
      image.metadata = metadata

      var results: [VisionObject]? = nil
      do {
        results = try objectDetector.results(in: image)
      } catch let error {
        Issue.record("Failed to detect object with error: \(error.localizedDescription).")
        return
      }
      guard let detectedObjects = results, !detectedObjects.isEmpty else {
        Issue.record("Object detector returned no results.")
        return
      }

      shown = lines(detectedObjects)
    }
    // The upper left quarter of the scene, which lies on its side in the picture.
    #expect(shown == ["1: food 0.75 at 0, 10"])
  }
}
