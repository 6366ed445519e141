public import Foundation
public import OcellusStore

/// Downloads hosted models, from the store that the program configured.
///
/// It can be used from any thread.
public final class ModelManager: NSObject, Sendable {
  private static let shared = ModelManager()

  private override init() {}

  /// Says where hosted models come from, where `FirebaseApp.configure()` finds no project.
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
    HostedModels.shared.model(named: remoteModel.name) != nil
  }

  /// Downloads a model, or its new version if there is one, and then posts on the main queue that it
  /// succeeded, also where there was nothing to download, or that it failed.
  ///
  /// Observers hear of it by ML Kit's name, `mlkitModelDownloadDidSucceed`, and by Firebase's,
  /// `firebaseMLModelDownloadDidSucceed`, or the two for failures.
  @discardableResult
  public func download(
    _ remoteModel: RemoteModel, conditions: ModelDownloadConditions
  ) -> Progress {
    HostedModels.shared.download(remoteModel, conditions)
  }

  /// Makes sure that a model is not on this machine, and says so on the main queue.
  public func deleteDownloadedModel(
    _ remoteModel: RemoteModel, completion: @escaping @MainActor ((any Error)?) -> Void
  ) {
    HostedModels.shared.delete(named: remoteModel.name) { completion($0) }
  }

  /// The path of the last downloaded version of a model, or why there is none.
  ///
  /// `completion` is called before this call returns: what it sets can be read behind it.
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
  /// A model was downloaded; `userInfo` has it by `ModelDownloadUserInfoKey.remoteModel`.
  public static let mlkitModelDownloadDidSucceed = Self("MLKModelDownloadDidSucceedNotification")
  /// A model was not downloaded; `userInfo` has it, and by `ModelDownloadUserInfoKey.error` the reason.
  public static let mlkitModelDownloadDidFail = Self("MLKModelDownloadDidFailNotification")
  /// A model was downloaded; `userInfo` has it by `ModelDownloadUserInfoKey.remoteModel`.
  public static let firebaseMLModelDownloadDidSucceed = Self(
    "FIRModelDownloadDidSucceedNotification")
  /// A model was not downloaded; `userInfo` has it, and by `ModelDownloadUserInfoKey.error` the reason.
  public static let firebaseMLModelDownloadDidFail = Self("FIRModelDownloadDidFailNotification")
}
