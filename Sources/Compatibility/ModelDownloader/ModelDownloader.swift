import Foundation
public import OcellusCompatibility
public import OcellusFirebase
import OcellusPlatform
import OcellusStore

@_exported public import class OcellusCompatibility.ModelDownloadConditions

/// A downloader for hosted models from the configured store.
///
/// It can be used on any thread. Its callbacks are called on the main queue, which the app must
/// run.
public final class ModelDownloader: Sendable {
  private static let shared = ModelDownloader()
  private static let notConfigured = "no store of models is configured"

  private init() {}

  /// Returns the shared downloader.
  public static func modelDownloader() -> ModelDownloader { shared }

  /// Returns the shared downloader: all apps have the same models.
  public static func modelDownloader(app: FirebaseApp) -> ModelDownloader { shared }

  /// Provides a model, either the local version or one from the host.
  ///
  /// `progressHandler` is called with the received fraction of the file, 0…1, if its size is known.
  public func getModel(
    name modelName: String, downloadType: ModelDownloadType, conditions: ModelDownloadConditions,
    progressHandler: (@MainActor (Float) -> Void)? = nil,
    completion: @escaping @MainActor (Result<CustomModel, DownloadError>) -> Void
  ) {
    func finish(_ result: Result<CustomModel, DownloadError>) {
      DispatchQueue.main.async { completion(result) }
    }
    guard !modelName.isEmpty else { return finish(.failure(.emptyModelName)) }
    guard let configuration = HostedModels.shared.configuration else {
      return finish(.failure(.internalError(description: Self.notConfigured)))
    }
    let local = HostedModels.shared.model(named: modelName)
    if let local, downloadType == .localModel { return finish(.success(CustomModel(local))) }
    let isAllowed = conditions.allowsCellularAccess || !configuration.isOnCellularNetwork()
    guard isAllowed else {
      let mayBeOld = downloadType == .localModelUpdateInBackground
      guard let local, mayBeOld else { return finish(.failure(.failedPrecondition)) }
      return finish(.success(CustomModel(local)))
    }
    let fetch = configuration.store.fetch(
      modelName, policy: downloadType == .latestModel ? .latest : .localThenUpdate)
    Task {
      if let progressHandler { await Self.report(fetch.progress, to: progressHandler) }
    }
    Task {
      do throws(StoreError) {
        let model = try await fetch.model
        HostedModels.shared.keep(model)
        finish(.success(CustomModel(model)))
      } catch {
        finish(.failure(DownloadError(error)))
      }
    }
  }

  private static func report(
    _ progress: AsyncStream<FetchProgress>, to handler: @escaping @MainActor (Float) -> Void
  ) async {
    for await news in progress {
      guard case .downloading(let received, let total?) = news, total > 0 else { continue }
      await handler(Float(received) / Float(total))
    }
  }

  /// Lists all intact models on this machine.
  public func listDownloadedModels(
    completion: @escaping @MainActor (Result<Set<CustomModel>, DownloadedModelError>) -> Void
  ) {
    SystemThread.run {
      let models = HostedModels.shared.configuration.map {
        Set($0.store.localModels().map(CustomModel.init))
      }
      DispatchQueue.main.async {
        completion(
          models.map { .success($0) }
            ?? .failure(.internalError(description: Self.notConfigured)))
      }
    }
  }

  /// Removes a model from this machine.
  public func deleteDownloadedModel(
    name modelName: String,
    completion: @escaping @MainActor (Result<Void, DownloadedModelError>) -> Void
  ) {
    guard HostedModels.shared.model(named: modelName) != nil else {
      DispatchQueue.main.async { completion(.failure(.notFound)) }
      return
    }
    HostedModels.shared.delete(named: modelName) { error in
      completion(error.map { .failure(DownloadedModelError($0)) } ?? .success(()))
    }
  }
}

extension CustomModel {
  fileprivate init(_ model: StoredModel) {
    name = model.name
    size = model.byteCount
    path = model.path
    hash = model.sha256
  }
}
