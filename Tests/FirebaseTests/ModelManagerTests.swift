import Firebase
import Foundation
import OcellusStore
import OcellusTestSupport
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

  /// Downloading a model that the host does not offer fails, and observers receive the reason.
  @Test(.enabled(if: WebServer.isAvailable, "\(WebServer.missing)"))
  func failuresSayWhy() async throws {
    ModelManager.configure(try #require(GuideModels.shared).store)
    let model = CustomRemoteModel(name: "nobody's")
    let error: ProcessingError? = await withCheckedContinuation { continuation in
      _ = NotificationCenter.default.addObserver(
        forName: .firebaseMLModelDownloadDidFail, object: nil, queue: nil
      ) { notification in
        let userInfo = notification.userInfo
        let failed = userInfo?[ModelDownloadUserInfoKey.remoteModel.rawValue] as? RemoteModel
        guard failed === model else { return }
        let error = userInfo?[ModelDownloadUserInfoKey.error.rawValue] as? ProcessingError
        continuation.resume(returning: error)
      }
      ModelManager.modelManager().download(model, conditions: ModelDownloadConditions())
    }
    guard case .downloadFailed(let name, let reason)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(name == "nobody's")
    #expect(reason.contains("offers no model"))
  }

  /// A deleted model is gone until it is downloaded again.
  @Test(.enabled(if: WebServer.isAvailable, "\(WebServer.missing)"))
  func deletedModelsAreGone() async throws {
    let store = try #require(GuideModels.shared).store
    _ = try await store.model("another_model", policy: .latest)
    let (manager, model) = (ModelManager.modelManager(), CustomRemoteModel(name: "another_model"))
    ModelManager.configure(store)
    #expect(manager.isModelDownloaded(model))
    let error = await withCheckedContinuation { continuation in
      manager.deleteDownloadedModel(model) { continuation.resume(returning: $0 as? StoreError) }
    }
    #expect(error == nil)
    #expect(!manager.isModelDownloaded(model))
  }
}
