import FirebaseMLModelDownloader
import Foundation
import OcellusCompatibility
import OcellusStore
import OcellusTestSupport
import Testing

@Suite(.enabled(if: WebServer.isAvailable, "\(WebServer.missing)"))
struct ModelDownloaderTests {
  private let downloader = ModelDownloader.modelDownloader()

  init() throws { ModelManager.configure(try #require(GuideModels.shared).store) }

  private func model(
    _ name: String, _ type: ModelDownloadType,
    _ conditions: ModelDownloadConditions = ModelDownloadConditions()
  ) async -> Result<CustomModel, DownloadError> {
    await withCheckedContinuation { continuation in
      downloader.getModel(name: name, downloadType: type, conditions: conditions) {
        continuation.resume(returning: $0)
      }
    }
  }

  @Test(arguments: ModelDownloadType.allCases)
  func modelsAreFetchedAndListed(type: ModelDownloadType) async throws {
    let model = try await model("your_remote_model", type).get()
    #expect(model.name == "your_remote_model")
    #expect(FileManager.default.contents(atPath: model.path)?.count == model.size)
    #expect(model.hash.count == 64)
    let listed = try await withCheckedContinuation { continuation in
      downloader.listDownloadedModels { continuation.resume(returning: $0) }
    }.get()
    #expect(listed.contains(model))
  }

  @Test func whatNobodyOffersIsNotFound() async {
    #expect(await model("nobody's", .latestModel) == .failure(.notFound))
    #expect(await model("", .localModel) == .failure(.emptyModelName))
  }

  @Test func deletingWhatIsNotThereIsAnError() async {
    let result = await withCheckedContinuation { continuation in
      downloader.deleteDownloadedModel(name: "nobody's") { continuation.resume(returning: $0) }
    }
    guard case .failure(.notFound) = result else {
      Issue.record("\(result)")
      return
    }
  }

  @Test func conditionsHaveTheOriginalsDefault() {
    #expect(ModelDownloadConditions(allowsCellularAccess: false).allowsCellularAccess == false)
    #expect(ModelDownloadConditions().allowsCellularAccess)
  }
}

@Suite struct DownloadErrorTests {
  private func error(status: Int, isTemporary: Bool) -> DownloadError {
    var error = StoreError(.serverFailed, "the server fails")
    error.status = status
    error.isTemporary = isTemporary
    return DownloadError(error)
  }

  @Test func statusesOfServersHaveTheirErrors() {
    #expect(error(status: 429, isTemporary: true) == .resourceExhausted)
    #expect(error(status: 400, isTemporary: false) == .invalidArgument)
    for status in [408, 425, 500, 503] {
      #expect(error(status: status, isTemporary: true) == .failedPrecondition)
    }
    #expect(
      error(status: 418, isTemporary: false)
        == .internalError(description: "the server fails"))
  }
}
