public import Foundation
public import OcellusCompatibility

/// Downloads hosted models: nothing is hosted for this library, which it says as the original does.
///
/// It can be used from any thread.
public final class ModelManager: NSObject, Sendable {
  private static let shared = ModelManager()

  private let hostedModels = HostedModels(didFail: .firebaseMLModelDownloadDidFail)

  private override init() {}

  /// The one manager.
  public static func modelManager() -> ModelManager { shared }

  /// Whether a model is on this machine: it never is.
  public func isModelDownloaded(_ remoteModel: RemoteModel) -> Bool {
    hostedModels.isDownloaded(remoteModel)
  }

  /// Tries to download a model, and posts `firebaseMLModelDownloadDidFail` on the main queue.
  @discardableResult
  public func download(
    _ remoteModel: RemoteModel, conditions: ModelDownloadConditions
  ) -> Progress {
    hostedModels.download(remoteModel)
  }

  /// Makes sure that a model is not on this machine, and says so on the main queue.
  public func deleteDownloadedModel(
    _ remoteModel: RemoteModel, completion: @escaping @MainActor ((any Error)?) -> Void
  ) {
    hostedModels.delete(remoteModel, completion: completion)
  }

  /// The path of the last downloaded version of a model: there is none, which `completion` is told
  /// before this call returns.
  public func getLatestModelFilePath(
    _ remoteModel: RemoteModel, completion: (String?, (any Error)?) -> Void
  ) {
    completion(nil, ProcessingError.modelNotDownloaded(name: remoteModel.name))
  }
}

extension Notification.Name {
  /// A model was downloaded; `userInfo` has it by `ModelDownloadUserInfoKey.remoteModel`.
  public static let firebaseMLModelDownloadDidSucceed = Self(
    "FIRModelDownloadDidSucceedNotification")
  /// A model was not downloaded; `userInfo` has it, and by `ModelDownloadUserInfoKey.error` the reason.
  public static let firebaseMLModelDownloadDidFail = Self("FIRModelDownloadDidFailNotification")
}
