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

    package init(
      store: ModelStore, isOnCellularNetwork: @escaping @Sendable () -> Bool = { false }
    ) {
      self.store = store
      self.isOnCellularNetwork = isOnCellularNetwork
    }
  }

  /// Those of the process: all modules have one manager.
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

  /// Says where models come from, unless that was said.
  package func configureIfNobodyDid(_ configuration: Configuration) {
    state.withLock { state in
      if state.configuration == nil { state.configuration = configuration }
    }
  }

  /// What the program configured; `nil` before that.
  package var configuration: Configuration? { state.withLock { $0.configuration } }

  /// The present version of a model, if it is on this machine and whole.
  package func model(named name: String) -> StoredModel? {
    try? configuration?.store.localModel(name)
  }

  /// Keeps the files of a model whose path is given away, for as long as the process may open them.
  package func keep(_ model: StoredModel) {
    state.withLock { $0.inUse[model.path] = model }
  }

  /// The path of the present version of a model.
  package func path(of name: String) throws(ProcessingError) -> String {
    guard let model = model(named: name) else { throw .modelNotDownloaded(name: name) }
    keep(model)
    return model.path
  }

  /// Fetches a model, or its new version if there is one; observers hear how that ends, also where there was
  /// nothing to fetch.
  package func download(
    _ model: RemoteModel, _ conditions: ModelDownloadConditions
  ) -> Progress {
    // How many bytes there will be, the host has yet to say.
    let progress = Progress(totalUnitCount: 1)
    guard let configuration else {
      Self.post(
        model, .downloadFailed(name: model.name, reason: "no store of models is configured"))
      return progress
    }
    guard conditions.allowsCellularAccess || !configuration.isOnCellularNetwork() else {
      Self.post(
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
        Self.post(model, nil)
      } catch {
        Self.post(model, .downloadFailed(name: model.name, reason: error.message))
      }
    }
    return progress
  }

  /// Tells observers how a download ended, on the main queue: those that are added right after a call
  /// hear of it.
  private static func post(_ model: RemoteModel, _ error: ProcessingError?) {
    let names: [Notification.Name] =
      error == nil
      ? [.mlkitModelDownloadDidSucceed, .firebaseMLModelDownloadDidSucceed]
      : [.mlkitModelDownloadDidFail, .firebaseMLModelDownloadDidFail]
    DispatchQueue.main.async {
      var userInfo: [AnyHashable: Any] = [ModelDownloadUserInfoKey.remoteModel.rawValue: model]
      if let error { userInfo[ModelDownloadUserInfoKey.error.rawValue] = error }
      for name in names {
        NotificationCenter.default.post(name: name, object: nil, userInfo: userInfo)
      }
    }
  }

  /// Takes a model away, and calls back on the main queue; what is not there is no error.
  package func delete(
    named name: String, completion: @escaping @MainActor (StoreError?) -> Void
  ) {
    let configuration = configuration
    SystemThread.run {
      // Its files are in use no more, as far as this process goes.
      self.state.withLock { state in
        state.inUse = state.inUse.filter { $0.value.name != name }
      }
      let result = Result { () throws(StoreError) in
        try configuration?.store.remove(name)
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
