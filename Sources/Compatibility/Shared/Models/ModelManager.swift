public import Foundation
public import OcellusStore

/// A manager of hosted models from the configured store.
///
/// It can be used on any thread. Programs that asked Remote Config for the name of the model, to try
/// two of them, find no module of that name here: the store divides machines among the versions of
/// one name (`rollout` in its manifests).
public final class ModelManager: NSObject, Sendable {
  private static let shared = ModelManager()

  private override init() {}

  /// Sets the store of hosted models, for apps whose `FirebaseApp.configure()` finds no project.
  ///
  /// Before every download, `isOnCellularNetwork` is called to find out whether the current network
  /// is cellular, in the sense of `ModelDownloadConditions`.
  public static func configure(
    _ store: ModelStore, isOnCellularNetwork: @escaping @Sendable () -> Bool = { false }
  ) {
    HostedModels.shared.configure(
      .init(store: store, isOnCellularNetwork: isOnCellularNetwork))
  }

  /// Returns the shared manager.
  public static func modelManager() -> ModelManager { shared }

  /// Returns whether a version of a model is on this machine.
  public func isModelDownloaded(_ remoteModel: RemoteModel) -> Bool {
    HostedModels.shared.model(named: remoteModel.name) != nil
  }

  /// Downloads a model or its new version, and posts a notification on the main queue.
  ///
  /// At the end, the progress is finished or, after a failure, cancelled.
  ///
  /// The success notifications, `mlkitModelDownloadDidSucceed` and
  /// `firebaseMLModelDownloadDidSucceed`, are posted even if the model was up to date; otherwise
  /// the two failure notifications are posted.
  @discardableResult
  public func download(
    _ remoteModel: RemoteModel, conditions: ModelDownloadConditions
  ) -> Progress {
    HostedModels.shared.download(remoteModel, conditions)
  }

  /// Removes a model from this machine, if it is there, and calls back on the main queue.
  public func deleteDownloadedModel(
    _ remoteModel: RemoteModel, completion: @escaping @MainActor ((any Error)?) -> Void
  ) {
    HostedModels.shared.delete(named: remoteModel.name) { completion($0) }
  }

  /// Provides the path of the last downloaded version of a model, or an error.
  ///
  /// `completion` is called before this function returns.
  public func getLatestModelFilePath(
    _ remoteModel: RemoteModel, completion: (String?, (any Error)?) -> Void
  ) {
    do throws(ProcessingError) {
      completion(try HostedModels.shared.path(of: remoteModel.name), nil)
    } catch {
      completion(nil, error)
    }
  }
}

extension Notification.Name {
  /// A model was downloaded; `ModelDownloadUserInfoKey.remoteModel` gives the model.
  public static let mlkitModelDownloadDidSucceed = Self("MLKModelDownloadDidSucceedNotification")
  /// A download failed; the `userInfo` has the model, and the error for
  /// `ModelDownloadUserInfoKey.error`.
  public static let mlkitModelDownloadDidFail = Self("MLKModelDownloadDidFailNotification")
  /// A model was downloaded; `ModelDownloadUserInfoKey.remoteModel` gives the model.
  public static let firebaseMLModelDownloadDidSucceed = Self(
    "FIRModelDownloadDidSucceedNotification")
  /// A download failed; the `userInfo` has the model, and the error for
  /// `ModelDownloadUserInfoKey.error`.
  public static let firebaseMLModelDownloadDidFail = Self("FIRModelDownloadDidFailNotification")
}
