import Firebase
import Foundation
import MLKitObjectDetectionCustom
import OcellusStore
import OcellusTestSupport
import TensorFlowLite
import Testing

/// The guides' code runs on the package's own models and pictures.
@Suite(.serialized) struct GuideRunTests {
  private var labelerPath: String { AppResources.models + "/scenes-labeler.tflite" }

  /// Waits until an app shows a result.
  private func shown(_ start: (@escaping () -> Void) -> Void) async {
    await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
      start { continuation.resume() }
    }
  }

  // MARK: ML Kit with a custom model

  @Test func customModelsNameTheObjectsOfAPicture() async throws {
    let app = CustomModelApp(localModelFilePath: labelerPath)
    let detector = app.makeDetector(app.localOptions(app.makeLocalModel()))
    let image = app.visionImage(try SamplePicture.uiImage("sunflower.jpg"))
    app.processNow(image, with: detector)
    #expect(app.shown.count == 5)
    let texts = app.shown.flatMap { $0.labels.map(\.text) }
    // The sunflower's own label is below the confidence threshold.
    #expect(Set(texts) == ["volcano", "watch", "pot plant", "helmet"])
    #expect(app.shown.allSatisfy { $0.trackingID == nil && $0.labels.count <= 3 })
    let now = app.describe(app.shown)
    #expect(now.contains { $0.contains("\nLabel 0: watch, 0.") })

    app.shown = []
    await shown { done in
      app.whenShown = done
      app.processLater(image, with: detector)
    }
    #expect(app.describe(app.shown) == now)
  }

  @Test func customModelsFollowTheMostProminentObjectOfAStream() throws {
    let app = CustomModelApp(localModelFilePath: labelerPath)
    let detector = app.makeDetector(app.liveOptions(app.makeLocalModel()))
    let picture = try SamplePicture.image("strawberry.jpg")
    UIDevice.current.orientation = .landscapeLeft
    var identities: Set<NSNumber> = []
    for frame in 0..<6 {
      let buffer = CMSampleBuffer(image: picture, presentationTime: .milliseconds(33 * frame))
      app.processNow(app.visionImage(buffer, .back), with: detector)
      #expect(app.shown.count == 1)
      identities.formUnion(app.shown.compactMap(\.trackingID))
    }
    #expect(identities == [1])
    #expect(app.shown.first?.labels.isEmpty == false)
  }

  @Test func stillPicturesHaveSeveralObjects() throws {
    let app = CustomModelApp(localModelFilePath: labelerPath)
    let detector = app.makeDetector(app.stillOptions(app.makeLocalModel()))
    app.processNow(app.visionImage(try SamplePicture.uiImage("tower.png")), with: detector)
    #expect(app.shown.count == 4)
  }

  @Test(.enabled(if: WebServer.isAvailable, "\(WebServer.missing)"))
  func hostedCustomModelsAreUsedWhenTheyAreHere() async throws {
    ModelManager.configure(try #require(GuideModels.shared).store)
    let app = CustomModelApp(localModelFilePath: "/nowhere.tflite")
    app.observe()
    let remoteModel = app.makeRemoteModel()
    let progress = app.download(remoteModel)
    while app.news.isEmpty { try await Task.sleep(for: .milliseconds(10)) }
    #expect(app.news.contains("your_remote_model is here"))
    #expect(progress.isFinished)
    let options = app.chosenOptions(remoteModel, app.makeLocalModel())
    options.classificationConfidenceThreshold = 0.2
    app.processNow(
      app.visionImage(try SamplePicture.uiImage("tower.png")), with: app.makeDetector(options))
    #expect(app.shown.count == 4)
    #expect(app.shown.allSatisfy { $0.labels.first?.text == "tulip" })
  }

  // MARK: Firebase ML Kit

  @Test func objectsHaveCoarseCategories() async throws {
    FirebaseApp.configure()
    let app = FirebaseObjectsApp()
    let detector = app.makeDetector(app.stillOptions())
    let image = app.visionImage(try SamplePicture.uiImage("sunflower.jpg"))
    app.processNow(image, with: detector)
    let categories = app.shown.map(\.classificationCategory)
    #expect(categories.count == 5)
    #expect(Set(categories) == [.plants, .fashionGoods, .places])
    #expect(app.shown.allSatisfy { ($0.confidence?.floatValue ?? 0) > 0.3 })
    let now = app.describe(app.shown)
    app.shown = []
    await shown { done in
      app.whenShown = done
      app.processLater(image, with: detector)
    }
    #expect(app.describe(app.shown) == now)
  }

  @Test func aStreamHasOneObjectWithAnIdentity() throws {
    let app = FirebaseObjectsApp()
    UIDevice.current.orientation = .landscapeLeft
    for options in [app.liveOptions(), VisionObjectDetectorOptions()] {
      let detector = app.makeDetector(options)
      for frame in 0..<4 {
        let picture = try SamplePicture.image("strawberry.jpg")
        let buffer = CMSampleBuffer(image: picture, presentationTime: .milliseconds(33 * frame))
        app.processNow(app.visionImage(buffer), with: detector)
      }
      #expect(app.shown.map(\.trackingID) == [1])
      #expect(
        app.shown.map(\.classificationCategory)
          == [options.shouldEnableClassification ? .plants : .unknown])
    }
    #expect(app.describe(app.shown).count == 1)
    #expect(
      try app.makeDetector().results(in: VisionImage(image: SamplePicture.image("tower.png"))).count
        == 1)
  }

  @Test func modelsOfAutoMLLabelPictures() async throws {
    let app = AutoMLLabelsApp()
    #expect(app.loadLocalModel())
    let localModel = try #require(app.localModel)
    let picture = try SamplePicture.image("tower.png").resized(
      to: PixelSize(width: 96, height: 96), using: .pillowBilinear)
    for labeler in [
      app.makeLabeler(localModel), app.makeLabeler(AutoMLRemoteModel(name: "nobody's"), localModel),
    ] {
      await shown { done in
        app.whenShown = done
        app.process(app.visionImage(UIImage(picture)), with: labeler)
      }
      #expect(app.shown.count == 186)
      #expect(app.describe(app.shown).count == 186)
      let buffer = CMSampleBuffer(image: picture, presentationTime: .zero)
      UIDevice.current.orientation = .portrait
      await shown { done in
        app.whenShown = done
        app.process(app.visionImage(buffer), with: labeler)
      }
      #expect(app.shown.count == 186)
    }
  }

  @Test(.enabled(if: WebServer.isAvailable, "\(WebServer.missing)"))
  func hostedModelsOfAutoMLAreFetched() async throws {
    ModelManager.configure(try #require(GuideModels.shared).store)
    let app = AutoMLLabelsApp()
    app.observe()
    _ = app.download(app.makeRemoteModel())
    while app.news.isEmpty { try await Task.sleep(for: .milliseconds(10)) }
    #expect(app.news.contains("your_remote_model is here"))
    let labeler = app.makeLabeler(
      app.makeRemoteModel(), AutoMLLocalModel(manifestPath: "/nowhere.json"))
    let image = app.visionImage(try SamplePicture.uiImage("tower.png"))
    await shown { done in
      app.whenShown = done
      app.process(image, with: labeler)
    }
    #expect(app.shown.map(\.text).sorted() == ["daisy", "rose", "tulip"])
  }

  // MARK: AutoML with the interpreter

  /// The guide's loop finds the objects that Ocellus' detector finds in the same picture.
  @Test func theInterpreterFindsTheThings() throws {
    let app = AutoMLObjectsApp()
    #expect(try app.loadLocalModel())
    for file in ["tower.png", "cherries.jpg"] {
      let picture = try SamplePicture.image(file).resized(
        to: PixelSize(width: 320, height: 320), using: .pillowBilinear)
      app.news = []
      #expect(
        try app.run(
          try #require(app.interpreter), on: try #require(app.inputData(CGImage(picture)))))
      let expected = try VisionNames.found(in: picture, above: 0.66)
      #expect(!expected.isEmpty)
      #expect(app.news.sorted() == expected.sorted())
    }
    #expect(app.inputData(nil) == nil)
  }

  @Test func withoutADownloadTheLocalModelIsLoaded() throws {
    let app = AutoMLObjectsApp()
    app.observe()
    try app.loadModel(CustomRemoteModel(name: "nobody's"))
    #expect(app.interpreter?.outputTensorCount == 4)
  }

  @Test(.enabled(if: WebServer.isAvailable, "\(WebServer.missing)"))
  func aDownloadedModelIsLoaded() async throws {
    ModelManager.configure(try #require(GuideModels.shared).store)
    let app = AutoMLObjectsApp()
    let remoteModel = app.makeRemoteModel()
    let progress = app.download(remoteModel)
    while !progress.isFinished { try await Task.sleep(for: .milliseconds(10)) }
    try app.loadModel(remoteModel)
    #expect(app.interpreter?.outputTensorCount == 1)
  }
}
