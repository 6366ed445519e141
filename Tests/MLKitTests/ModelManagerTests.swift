import Foundation
import MLKit
import OcellusTestSupport
import Testing

@Suite struct ModelManagerTests {
  private let remoteModel = CustomRemoteModel(
    remoteModelSource: FirebaseModelSource(name: "flowers"))

  @Test func nothingIsDownloaded() {
    #expect(remoteModel.name == "flowers")
    #expect(!ModelManager.modelManager().isModelDownloaded(remoteModel))
  }

  @Test func conditionsHaveTheOriginalsDefaults() {
    let conditions = ModelDownloadConditions()
    #expect(conditions.allowsCellularAccess)
    #expect(!conditions.allowsBackgroundDownloading)
    #expect((conditions.copy() as? ModelDownloadConditions) === conditions)
  }

  @Test func deletingSucceeds() async {
    let failed = await withCheckedContinuation { continuation in
      ModelManager.modelManager().deleteDownloadedModel(remoteModel) { error in
        continuation.resume(returning: error != nil)
      }
    }
    #expect(!failed)
  }

  @Test func resultsWithAnUndownloadedModelAreErrors() throws {
    let models = try SyntheticModelFiles()
    let image = VisionImage(
      image: Image(uninitialized: .rgb8, size: PixelSize(width: 4, height: 4)))
    let options = CustomObjectDetectorOptions(remoteModel: remoteModel)
    options.shouldEnableClassification = true
    #expect(throws: ProcessingError.modelNotDownloaded(name: "flowers")) {
      try ObjectDetector.objectDetector(
        options: options, detectorModel: LocalModel(path: models.detector)
      ).results(in: image)
    }
    #expect(throws: ProcessingError.modelNotDownloaded(name: "flowers")) {
      try ImageLabeler.imageLabeler(
        options: CustomImageLabelerOptions(remoteModel: remoteModel)
      ).results(in: image)
    }
  }
}
