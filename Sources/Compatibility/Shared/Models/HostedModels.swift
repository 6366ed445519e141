package import Foundation
import OcellusPlatform
package import OcellusStore
import Synchronization

/// The models of the store that the program configured, in the words of the originals.
package final class HostedModels: Sendable {
  /// What the program configured, in place of the originals' app.
  package struct Configuration: Sendable {
    package let store: ModelStore
    /// Whether the network is one of those that `ModelDownloadConditions` calls cellular.
    package let isOnCellularNetwork: @Sendable () -> Bool

    package init(store: ModelStore, isOnCellularNetwork: @escaping @Sendable () -> Bool) {
      self.store = store
      self.isOnCellularNetwork = isOnCellularNetwork
    }
  }

  /// How downloads end, by the names of a module.
  package struct Notifications: Sendable {
    private let didSucceed: Notification.Name
    private let didFail: Notification.Name

    package init(didSucceed: Notification.Name, didFail: Notification.Name) {
      self.didSucceed = didSucceed
      self.didFail = didFail
    }

    /// Tells observers, on the main queue: those that are added right after a call hear of it.
    func post(_ model: RemoteModel, _ error: ProcessingError?) {
      let name = error == nil ? didSucceed : didFail
      DispatchQueue.main.async {
        var userInfo: [AnyHashable: Any] = [ModelDownloadUserInfoKey.remoteModel.rawValue: model]
        if let error { userInfo[ModelDownloadUserInfoKey.error.rawValue] = error }
        NotificationCenter.default.post(name: name, object: nil, userInfo: userInfo)
      }
    }
  }

  /// Those of the process: both modules have one manager.
  package static let shared = HostedModels()

  private struct State {
    var configuration: Configuration?
    /// Models whose paths were given away: their files stay for as long as the process may open them.
    var inUse: [String: StoredModel] = [:]
  }

  private let state = Mutex(State())

  private init() {}

  /// Says where models come from.
  package func configure(_ configuration: Configuration) {
    state.withLock { $0 = State(configuration: configuration) }
  }

  private var configuration: Configuration? { state.withLock { $0.configuration } }

  /// Whether a version of the model is on this machine, whole.
  package func isDownloaded(_ model: RemoteModel) -> Bool {
    (try? configuration?.store.localModel(model.name)) != nil
  }

  /// The path of the present version of a model.
  package func path(of name: String) throws(ProcessingError) -> String {
    guard let configuration, let model = try? configuration.store.localModel(name) else {
      throw .modelNotDownloaded(name: name)
    }
    state.withLock { $0.inUse[model.path] = model }
    return model.path
  }

  /// Fetches a model, or its new version if there is one; observers hear how that ends, also where there was
  /// nothing to fetch.
  package func download(
    _ model: RemoteModel, _ conditions: ModelDownloadConditions, _ notifications: Notifications
  ) -> Progress {
    // How many bytes there will be, the host has yet to say.
    let progress = Progress(totalUnitCount: 1)
    guard let configuration else {
      notifications.post(
        model, .downloadFailed(name: model.name, reason: "no store of models is configured"))
      return progress
    }
    guard conditions.allowsCellularAccess || !configuration.isOnCellularNetwork() else {
      notifications.post(
        model, .downloadFailed(name: model.name, reason: "the network is a cellular one"))
      return progress
    }
    let fetch = configuration.store.fetch(model.name, policy: .latest)
    progress.cancellationHandler = { fetch.cancel() }
    Task {
      for await news in fetch.progress { progress.show(news) }
      do throws(StoreError) {
        _ = try await fetch.updated
        progress.completedUnitCount = progress.totalUnitCount
        notifications.post(model, nil)
      } catch {
        notifications.post(model, .downloadFailed(name: model.name, reason: error.message))
      }
    }
    return progress
  }

  /// Takes a model away, and calls back on the main queue; what is not there is no error.
  package func delete(
    _ model: RemoteModel, completion: @escaping @MainActor ((any Error)?) -> Void
  ) {
    let configuration = configuration
    SystemThread.run {
      // Its files are in use no more, as far as this process goes.
      self.state.withLock { state in
        state.inUse = state.inUse.filter { $0.value.name != model.name }
      }
      let result = Result { () throws(StoreError) in
        try configuration?.store.remove(model.name)
      }
      DispatchQueue.main.async {
        switch result {
        case .success: completion(nil)
        case .failure(let error): completion(error)
        }
      }
    }
  }
}

extension Progress {
  /// Shows how far a fetch is; finished is what its observers hear.
  fileprivate func show(_ news: FetchProgress) {
    guard case .downloading(let received, let total?) = news else { return }
    // The test of the model is still to come.
    totalUnitCount = Int64(total) + 1
    completedUnitCount = Int64(min(received, total))
  }
}
