import FirebaseMLVision
import Foundation
import OcellusTestSupport
import Synchronization
import Testing

/// The code of the Firebase guide that labels images with an AutoML model on iOS, with `Image` and
/// `SampleBuffer` in place of `UIImage` and `CMSampleBuffer`.
///
/// One slip of the guide is mended: options that are chosen later are not optional.
@Suite struct AutoMLLabelingGuideTests {
  private let models: SyntheticModelFiles
  private let picture = Image(uninitialized: .rgb8, size: PixelSize(width: 40, height: 20))

  init() throws { models = try SyntheticModelFiles() }

  // MARK: 1. Load the model

  private func labeler(manifestPath: String) -> VisionImageLabeler {
    let localModel = AutoMLLocalModel(manifestPath: manifestPath)

    let options = VisionOnDeviceAutoMLImageLabelerOptions(localModel: localModel)
    options.confidenceThreshold = 0  // Evaluate your model in the Firebase console
    // to determine an appropriate value.
    let labeler = Vision.vision().onDeviceAutoMLImageLabeler(options: options)
    return labeler
  }

  private func labeler(
    remoteModel: AutoMLRemoteModel, localModel: AutoMLLocalModel
  ) -> VisionImageLabeler {
    var options: VisionOnDeviceAutoMLImageLabelerOptions
    if ModelManager.modelManager().isModelDownloaded(remoteModel) {
      options = VisionOnDeviceAutoMLImageLabelerOptions(remoteModel: remoteModel)
    } else {
      options = VisionOnDeviceAutoMLImageLabelerOptions(localModel: localModel)
    }
    options.confidenceThreshold = 0  // Evaluate your model in the Firebase console
    // to determine an appropriate value.
    let labeler = Vision.vision().onDeviceAutoMLImageLabeler(options: options)
    return labeler
  }

  /// From the download to the labels of the downloaded model.
  @Test(.enabled(if: WebServer.isAvailable, "\(WebServer.missing)"))
  func downloadsTheModelAndUsesIt() async throws {
    // In the place of FirebaseApp.configure().
    ModelManager.configure(try #require(GuideModels.shared).store)
    let screen = Screen()
    screen.observeDownloads()

    let remoteModel = AutoMLRemoteModel(
      name: "your_remote_model"  // The name you assigned in the Firebase console.
    )

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

    let labeler = labeler(
      remoteModel: remoteModel, localModel: AutoMLLocalModel(manifestPath: "/nowhere.json"))
    let texts = await labels(labeler, VisionImage(image: picture))
    #expect(texts.map { $0.prefix(9) } == ["tulip 0.4", "daisy 0.2", "rose 0.26"])
  }

  // MARK: 2. and 3. Prepare the input image and run the image labeler

  private func labels(_ labeler: VisionImageLabeler, _ image: VisionImage) async -> [String] {
    await withCheckedContinuation { continuation in
      labeler.process(image) { labels, error in
        guard error == nil, let labels = labels else {
          return continuation.resume(returning: [])
        }

        // Task succeeded.
        var texts: [String] = []
        for label in labels {
          let labelText = label.text
          let confidence = label.confidence
          texts.append("\(labelText) \(confidence?.floatValue ?? 0)")
        }
        continuation.resume(returning: texts)
      }
    }
  }

  @Test func localModels() async {
    let image = VisionImage(image: picture)
    let texts = await labels(labeler(manifestPath: models.manifest), image)
    #expect(texts.map { $0.prefix(9) } == ["tulip 0.4", "daisy 0.2", "rose 0.26"])
  }

  @Test func localModelsInPlaceOfThoseThatAreNotDownloaded() async {
    let sampleBuffer = SampleBuffer(image: picture, presentationTime: .zero)
    let metadata = VisionImageMetadata()
    metadata.orientation = .rightTop
    let image = VisionImage(buffer: sampleBuffer)
    image.metadata = metadata

    let labeler = labeler(
      remoteModel: AutoMLRemoteModel(name: "your_remote_model"),
      localModel: AutoMLLocalModel(manifestPath: models.manifest))
    #expect(await labels(labeler, image).count == 3)
  }
}

/// What observes downloads in the guide: something that may go away before they are finished.
private final class Screen: Sendable {
  private let heard = Mutex<[String]>([])

  var news: [String] { heard.withLock { $0 } }

  func observeDownloads() {
    _ = NotificationCenter.default.addObserver(
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
      strongSelf.heard.withLock { $0.append("\(model.name) succeeded") }
    }

    _ = NotificationCenter.default.addObserver(
      forName: .firebaseMLModelDownloadDidFail,
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
      if error is ProcessingError {
        strongSelf.heard.withLock { $0.append("\(model.name) failed") }
      }
    }
  }
}
