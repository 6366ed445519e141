import Foundation
import MLKit
import OcellusTestSupport
import Synchronization
import Testing

/// The code of the guide for custom models that detect, track and classify objects on iOS, with
/// `Image` and `SampleBuffer` in place of `UIImage` and `CMSampleBuffer`, and the orientations of
/// devices and cameras by our names.
///
/// One slip of the guide is mended: a picture has the same name in the line that sets its orientation.
/// The base model, which the guide's pod brings along, is named.
@Suite struct CustomModelGuideTests {
  private let models: SyntheticModelFiles
  private let picture = Image(
    uninitialized: .rgb8, size: PixelSize(width: 40, height: 20), orientation: .right)

  init() throws { models = try SyntheticModelFiles() }

  // MARK: 1. Load the model

  private func remoteModel() -> CustomRemoteModel {
    let firebaseModelSource = FirebaseModelSource(
      name: "your_remote_model")  // The name you assigned in
    // the Firebase console.
    let remoteModel = CustomRemoteModel(remoteModelSource: firebaseModelSource)
    return remoteModel
  }

  /// From the download to the names that the downloaded model gives.
  @Test(.enabled(if: WebServer.isAvailable, "\(WebServer.missing)"))
  func downloadsTheModelAndUsesIt() async throws {
    // In the place of FirebaseApp.configure().
    ModelManager.configure(try #require(GuideModels.shared).store)
    let screen = Screen()
    screen.observeDownloads()
    let remoteModel = remoteModel()

    let downloadConditions = ModelDownloadConditions(
      allowsCellularAccess: true,
      allowsBackgroundDownloading: true
    )

    let downloadProgress = ModelManager.modelManager().download(
      remoteModel,
      conditions: downloadConditions
    )

    while screen.news.isEmpty { try await Task.sleep(for: .milliseconds(10)) }
    #expect(screen.news == ["your_remote_model succeeded"])
    #expect(downloadProgress.isFinished)
    #expect(ModelManager.modelManager().isModelDownloaded(remoteModel))

    // The options are those of the remote model now: the local one is nowhere.
    let options = options(localModelFilePath: "/nowhere.tflite")
    let models = try SyntheticModelFiles()
    let detector = ObjectDetector.objectDetector(
      options: options, detectorModel: LocalModel(path: models.detector))
    let image = VisionImage(
      image: Image(uninitialized: .rgb8, size: PixelSize(width: 40, height: 20)))
    let objects = try detector.results(in: image)
    #expect(objects.map { $0.labels.map(\.text) } == [["tulip", "daisy"], ["tulip", "daisy"]])
  }

  // MARK: 2. Configure the object detector

  private func options(localModelFilePath: String) -> CustomObjectDetectorOptions {
    let localModel = LocalModel(path: localModelFilePath)
    let remoteModel = remoteModel()

    var options: CustomObjectDetectorOptions!
    if ModelManager.modelManager().isModelDownloaded(remoteModel) {
      options = CustomObjectDetectorOptions(remoteModel: remoteModel)
    } else {
      options = CustomObjectDetectorOptions(localModel: localModel)
    }
    options.detectorMode = .singleImage
    options.shouldEnableClassification = true
    options.shouldEnableMultipleObjects = true
    options.classificationConfidenceThreshold = NSNumber(value: 0.28)
    options.maxPerObjectLabelCount = 3
    return options
  }

  private func liveOptions(localModelFilePath: String) -> CustomObjectDetectorOptions {
    let localModel = LocalModel(path: localModelFilePath)
    // Live detection and tracking
    let options = CustomObjectDetectorOptions(localModel: localModel)
    options.shouldEnableClassification = true
    options.maxPerObjectLabelCount = 3
    return options
  }

  private func objectDetector(_ options: CustomObjectDetectorOptions) -> ObjectDetector {
    ObjectDetector.objectDetector(
      options: options, detectorModel: LocalModel(path: models.detector))
  }

  // MARK: 3. Prepare the input image

  private func imageOrientation(
    deviceOrientation: DeviceOrientation,
    cameraPosition: CameraPosition
  ) -> ImageOrientation {
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

  @Test func orientationsOfCamerasAreThoseOfTheGuide() {
    for deviceOrientation in DeviceOrientation.allCases {
      for cameraPosition in CameraPosition.allCases {
        #expect(
          ImageOrientation(deviceOrientation: deviceOrientation, cameraPosition: cameraPosition)
            == imageOrientation(
              deviceOrientation: deviceOrientation, cameraPosition: cameraPosition))
      }
    }
  }

  // MARK: 4. and 5. Run the detector, and get information about labeled objects

  private func lines(_ objects: [Object]) -> [String] {
    var lines: [String] = []
    // objects contains one item if multiple object detection wasn't enabled.
    for object in objects {
      let frame = object.frame
      let trackingID = object.trackingID
      let description = object.labels.enumerated().map { (index, label) in
        "Label \(index): \(label.text), \(label.confidence), \(label.index)"
      }.joined(separator: "\n")
      lines.append("\(trackingID?.stringValue ?? "none") at \(frame): \(description)")
    }
    return lines
  }

  @Test func singleImage() async {
    let image = VisionImage(image: picture)
    image.orientation = picture.imageOrientation

    let objectDetector = objectDetector(options(localModelFilePath: models.labeler))
    let objects = await withCheckedContinuation { continuation in
      objectDetector.process(image) { objects, error in
        guard error == nil, let objects = objects, !objects.isEmpty else {
          // Handle the error.
          return continuation.resume(returning: [Object]())
        }
        // Show results.
        continuation.resume(returning: objects)
      }
    }
    // Quarters of a picture of 20 by 40 that lies on its side.
    #expect(
      objects.map(\.frame) == [
        CGRect(x: 0, y: 10, width: 20, height: 10), CGRect(x: 20, y: 0, width: 20, height: 10),
      ])
    #expect(objects.map { $0.labels.map(\.text) } == [["tulip", "daisy"], ["tulip", "daisy"]])
    let lines = lines(objects)
    #expect(lines[0].hasPrefix("none at "))
    #expect(lines[0].contains(": Label 0: tulip, 0.43"))
    #expect(lines[0].contains("\nLabel 1: daisy, 0.29"))
  }

  @Test func stream() {
    let objectDetector = objectDetector(liveOptions(localModelFilePath: models.labeler))
    let cameraPosition = CameraPosition.back
    var shown: [String] = []
    for frame in 0..<6 {
      let sampleBuffer = SampleBuffer(image: picture, presentationTime: .milliseconds(33 * frame))
      let image = VisionImage(buffer: sampleBuffer)
      image.orientation = imageOrientation(
        deviceOrientation: .portrait,
        cameraPosition: cameraPosition)

      var objects: [Object]
      do {
        objects = try objectDetector.results(in: image)
      } catch let error {
        Issue.record(error)
        return
      }
      // Show results.
      shown = lines(objects)
    }
    #expect(shown.count == 1)
    #expect(shown[0].hasPrefix("1 at "))
    #expect(shown[0].contains(": Label 0: tulip, 0.43"))
  }
}

/// What observes downloads in the guide: something that may go away before they are finished.
private final class Screen: Sendable {
  private let heard = Mutex<[String]>([])

  var news: [String] { heard.withLock { $0 } }

  func observeDownloads() {
    _ = NotificationCenter.default.addObserver(
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
      strongSelf.heard.withLock { $0.append("\(model.name) succeeded") }
    }

    _ = NotificationCenter.default.addObserver(
      forName: .mlkitModelDownloadDidFail,
      object: nil,
      queue: nil
    ) { [weak self] notification in
      guard let strongSelf = self,
        let userInfo = notification.userInfo,
        let model = userInfo[ModelDownloadUserInfoKey.remoteModel.rawValue]
          as? RemoteModel,
        // Downloads of other models may fail at the same time.
        model.name == "your_remote_model"
      else { return }
      let error = userInfo[ModelDownloadUserInfoKey.error.rawValue]
      strongSelf.heard.withLock { $0.append("\(model.name) failed: \(error ?? "")") }
    }
  }
}
