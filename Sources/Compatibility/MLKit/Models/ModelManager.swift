public import Foundation
public import OcellusCompatibility
public import OcellusStore

/// Downloads hosted models, from the store that the program configured.
///
/// It can be used from any thread.
public final class ModelManager: NSObject, Sendable {
  private static let shared = ModelManager()

  private let notifications = HostedModels.Notifications(
    didSucceed: .mlkitModelDownloadDidSucceed, didFail: .mlkitModelDownloadDidFail)

  private override init() {}

  /// Says where hosted models come from, in the place of `FirebaseApp.configure()`; `MLKit` and
  /// `FirebaseMLVision` share it.
  ///
  /// In front of every download `isOnCellularNetwork` is asked whether the network is one that
  /// `ModelDownloadConditions` calls cellular.
  public static func configure(
    _ store: ModelStore, isOnCellularNetwork: @escaping @Sendable () -> Bool = { false }
  ) {
    HostedModels.shared.configure(
      .init(store: store, isOnCellularNetwork: isOnCellularNetwork))
  }

  /// The one manager.
  public static func modelManager() -> ModelManager { shared }

  /// Whether a version of a model is on this machine.
  public func isModelDownloaded(_ remoteModel: RemoteModel) -> Bool {
    HostedModels.shared.isDownloaded(remoteModel)
  }

  /// Downloads a model, or its new version if there is one, and then posts on the main queue
  /// `mlkitModelDownloadDidSucceed`, also where there was nothing to download, or
  /// `mlkitModelDownloadDidFail`.
  @discardableResult
  public func download(
    _ remoteModel: RemoteModel, conditions: ModelDownloadConditions
  ) -> Progress {
    HostedModels.shared.download(remoteModel, conditions, notifications)
  }

  /// Makes sure that a model is not on this machine, and says so on the main queue.
  public func deleteDownloadedModel(
    _ remoteModel: RemoteModel, completion: @escaping @MainActor ((any Error)?) -> Void
  ) {
    HostedModels.shared.delete(remoteModel, completion: completion)
  }
}

extension Notification.Name {
  /// A model was downloaded; `userInfo` has it by `ModelDownloadUserInfoKey.remoteModel`.
  public static let mlkitModelDownloadDidSucceed = Self("MLKModelDownloadDidSucceedNotification")
  /// A model was not downloaded; `userInfo` has it, and by `ModelDownloadUserInfoKey.error` the reason.
  public static let mlkitModelDownloadDidFail = Self("MLKModelDownloadDidFailNotification")
}
