package import Foundation
import OcellusPlatform
package import OcellusStore
import Synchronization

/// The hosted models of the configured store, with the behaviour of the original APIs.
package final class HostedModels: Sendable {
  /// The configuration by the app, which replaces the app object of the original APIs.
  package struct Configuration: Sendable {
    package let store: ModelStore
    /// Returns whether the current network is cellular, in the sense of `ModelDownloadConditions`.
    package let isOnCellularNetwork: @Sendable () -> Bool

    package init(
      store: ModelStore, isOnCellularNetwork: @escaping @Sendable () -> Bool = { false }
    ) {
      self.store = store
      self.isOnCellularNetwork = isOnCellularNetwork
    }
  }

  /// The models of this process, shared by all modules.
  package static let shared = HostedModels()

  private struct State {
    var configuration: Configuration?
    /// Models whose paths were handed out; holding them keeps their files from being removed.
    var inUse: [String: StoredModel] = [:]
  }

  private let state = Mutex(State())

  private init() {}

  /// Sets the source of models.
  package func configure(_ configuration: Configuration) {
    state.withLock { $0 = State(configuration: configuration) }
  }

  /// Sets the source of models, unless it is set already.
  package func configureIfNeeded(_ configuration: Configuration) {
    state.withLock { state in
      if state.configuration == nil { state.configuration = configuration }
    }
  }

  /// The configuration; `nil` before it is set.
  package var configuration: Configuration? { state.withLock { $0.configuration } }

  /// Returns the current version of a model, if it is on this machine and intact.
  package func model(named name: String) -> StoredModel? {
    try? configuration?.store.localModel(name)
  }

  /// Protects the files of a model whose path is handed out, until it is deleted or this process
  /// ends.
  package func keep(_ model: StoredModel) {
    state.withLock { $0.inUse[model.path] = model }
  }

  /// Returns the path of the current version of a model.
  package func path(of name: String) throws(ProcessingError) -> String {
    guard let model = model(named: name) else { throw .modelNotDownloaded(name: name) }
    keep(model)
    return model.path
  }

  /// Fetches a model or its new version, and posts a notification about the result.
  ///
  /// The notification is posted even if the model was up to date.
  package func download(
    _ model: RemoteModel, _ conditions: ModelDownloadConditions
  ) -> Progress {
    // The size is unknown until the host answers.
    let progress = Progress(totalUnitCount: 1)
    guard let configuration else {
      progress.fail()
      Self.post(model, StoreError(.notAllowed, "no store of models is configured"))
      return progress
    }
    guard conditions.allowsCellularAccess || !configuration.isOnCellularNetwork() else {
      progress.fail()
      Self.post(model, StoreError(.notAllowed, "the network is a cellular one"))
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
        progress.fail()
        Self.post(model, error)
      }
    }
    return progress
  }

  /// Posts the result of a download.
  ///
  /// It is posted asynchronously on the main queue, so that observers that are added directly after
  /// the call are notified, too.
  private static func post(_ model: RemoteModel, _ error: StoreError?) {
    let names: [Notification.Name] =
      error == nil
      ? [.mlkitModelDownloadDidSucceed, .firebaseMLModelDownloadDidSucceed]
      : [.mlkitModelDownloadDidFail, .firebaseMLModelDownloadDidFail]
    DispatchQueue.main.async {
      var userInfo: [AnyHashable: Any] = [ModelDownloadUserInfoKey.remoteModel.rawValue: model]
      if let error {
        userInfo[ModelDownloadUserInfoKey.error.rawValue] = NSError(error, downloading: model)
      }
      for name in names {
        NotificationCenter.default.post(name: name, object: nil, userInfo: userInfo)
      }
    }
  }

  /// Removes a model, and calls back on the main queue; a missing model is not an error.
  package func delete(
    named name: String, completion: @escaping @MainActor (StoreError?) -> Void
  ) {
    let configuration = configuration
    SystemThread.run {
      // This process no longer protects the files.
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
  /// Ends the progress of a fetch that failed as that of one that was cancelled, because observers
  /// wait for one or the other.
  fileprivate func fail() {
    cancellationHandler = nil
    cancel()
  }

  /// Updates the progress; the completion is set only at the end of the fetch.
  fileprivate func show(_ news: FetchProgress) {
    guard case .downloading(let received, let total?) = news else { return }
    // One unit remains for the self-test.
    totalUnitCount = Int64(total) + 1
    completedUnitCount = Int64(min(received, total))
  }
}

extension NSError {
  /// Creates the error that observers of downloads get, in the form in which they look for it.
  ///
  /// Its domain and codes are those of the original; the underlying error is a `ProcessingError`.
  fileprivate convenience init(_ error: StoreError, downloading model: RemoteModel) {
    let cause = ProcessingError.downloadFailed(name: model.name, reason: error.message)
    self.init(
      domain: "com.google.mlkit", code: error.originalCode,
      userInfo: [NSLocalizedDescriptionKey: cause.description, NSUnderlyingErrorKey: cause])
  }
}

extension StoreError {
  /// The number of the category in Google's APIs.
  fileprivate var originalCode: Int {
    switch kind {
    case .cancelled: 1
    case .malformed: 3
    case .timedOut: 4
    case .notFound, .notDownloaded: 5
    case .refused: 7
    case .busy, .noSpace, .tooLarge: 8
    case .notAllowed: 9
    case .unreachable, .serverFailed: 14
    case .damaged: 15
    case .fileFailed, .unusable: 13
    }
  }
}
