import FirebaseMLVision
import Foundation
import Testing

@Suite struct ModelManagerTests {
  private let remoteModel = CustomRemoteModel(name: "salads")

  @Test func nothingIsDownloaded() {
    #expect(!ModelManager.modelManager().isModelDownloaded(remoteModel))
  }

  @Test func thereIsNoLatestFile() {
    var answer: (path: String?, error: (any Error)?) = ("", nil)
    ModelManager.modelManager().getLatestModelFilePath(remoteModel) { answer = ($0, $1) }
    #expect(answer.path == nil)
    #expect(answer.error as? ProcessingError == .modelNotDownloaded(name: "salads"))
  }

  @Test func undownloadedModelsAreErrorsOfThePicture() async {
    let options = VisionOnDeviceAutoMLImageLabelerOptions(
      remoteModel: AutoMLRemoteModel(name: "flowers"))
    let labeler = Vision.vision().onDeviceAutoMLImageLabeler(options: options)
    let image = VisionImage(
      image: Image(uninitialized: .rgb8, size: PixelSize(width: 4, height: 4)))
    let error = await withCheckedContinuation { continuation in
      labeler.process(image) { _, error in
        continuation.resume(returning: error as? ProcessingError)
      }
    }
    #expect(error == .modelNotDownloaded(name: "flowers"))
  }
}
