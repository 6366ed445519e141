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

  /// Returns the error that observers get of the download of a model, and its progress.
  private func failedDownload(
    of model: CustomRemoteModel
  ) async -> (error: NSError?, progress: Progress) {
    let (errors, continuation) = AsyncStream.makeStream(of: NSError?.self)
    let observer = NotificationCenter.default.addObserver(
      forName: .firebaseMLModelDownloadDidFail, object: nil, queue: nil
    ) { notification in
      let userInfo = notification.userInfo
      let failed = userInfo?[ModelDownloadUserInfoKey.remoteModel.rawValue] as? RemoteModel
      guard failed === model else { return }
      // As the observers of Google's samples look for it.
      continuation.yield(userInfo?[ModelDownloadUserInfoKey.error.rawValue] as? NSError)
    }
    defer { NotificationCenter.default.removeObserver(observer) }
    let progress = ModelManager.modelManager().download(
      model, conditions: ModelDownloadConditions())
    let error = await errors.first { _ in true } ?? nil
    return (error, progress)
  }

  /// Downloading a model that the host does not offer fails, and observers receive the reason.
  @Test(.enabled(if: WebServer.isAvailable, "\(WebServer.missing)"))
  func failuresSayWhy() async throws {
    ModelManager.configure(try #require(GuideModels.shared).store)
    let (error, progress) = await failedDownload(of: CustomRemoteModel(name: "nobody's"))
    let failure = try #require(error)
    // The number of "not found" in Google's APIs.
    #expect(failure.code == 5)
    #expect(failure.localizedDescription.contains("offers no model"))
    #expect(failure.localizedDescription.contains("; it offers "))
    guard
      case .downloadFailed("nobody's", _)? = failure.userInfo[NSUnderlyingErrorKey]
        as? ProcessingError
    else {
      Issue.record("\(failure)")
      return
    }
    #expect(progress.isCancelled && !progress.isFinished)
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
