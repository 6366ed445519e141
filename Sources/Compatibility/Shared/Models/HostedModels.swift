package import Foundation

/// The models that are hosted for this library: none, which is said as the originals say it.
package struct HostedModels: Sendable {
  /// The notification of a download that failed.
  private let didFail: Notification.Name

  package init(didFail: Notification.Name) {
    self.didFail = didFail
  }

  package func isDownloaded(_ model: RemoteModel) -> Bool { false }

  /// Fails, on the main queue: observers that are added right after the call hear of it.
  package func download(_ model: RemoteModel) -> Progress {
    let progress = Progress(totalUnitCount: 1)
    let didFail = didFail
    DispatchQueue.main.async {
      NotificationCenter.default.post(
        name: didFail, object: nil,
        userInfo: [
          ModelDownloadUserInfoKey.remoteModel.rawValue: model,
          ModelDownloadUserInfoKey.error.rawValue:
            ProcessingError.modelNotDownloaded(name: model.name),
        ])
    }
    return progress
  }

  /// Succeeds: afterwards the model is not there.
  package func delete(
    _ model: RemoteModel, completion: @escaping @MainActor ((any Error)?) -> Void
  ) {
    DispatchQueue.main.async { completion(nil) }
  }
}
