public import Foundation
public import OcellusCompatibility
import OcellusStore
import Synchronization

/// A named Firebase app.
///
/// All apps of a process share the same hosted models: those of the store that was passed to
/// `ModelManager.configure(_:)`, or else those of the first app with a project.
public final class FirebaseApp: NSObject, Sendable {
  private static let defaultName = "__FIRAPP_DEFAULT"
  private static let apps = Mutex<[String: FirebaseApp]>([:])

  /// The name; the default app has the same name as in the original API.
  public let name: String
  /// The project that the app belongs to.
  public let options: FirebaseOptions

  private init(name: String, options: FirebaseOptions) {
    self.name = name
    self.options = options
  }

  /// Creates the default app for the project in `GoogleService-Info.plist` in the app's resources.
  ///
  /// Unlike in the original API, a missing file is not an error, because bundled models need no
  /// project.
  public static func configure() {
    configure(options: FirebaseOptions.defaultOptions() ?? FirebaseOptions())
  }

  /// Creates the default app.
  public static func configure(options: FirebaseOptions) {
    configure(name: defaultName, options: options)
  }

  /// Creates an app; an existing app of the same name is kept.
  public static func configure(name: String, options: FirebaseOptions) {
    let isNew = apps.withLock { apps in
      guard apps[name] == nil else { return false }
      apps[name] = FirebaseApp(name: name, options: options)
      return true
    }
    guard isNew, let identifier = options.projectID, let apiKey = options.apiKey else { return }
    var project = FirebaseProject(identifier: identifier, apiKey: apiKey)
    project.bundleIdentifier = options.bundleID
    if let host = try? ModelHost.firebase(project) {
      HostedModels.shared.configureIfNeeded(.init(store: ModelStore(host)))
    }
  }

  /// Returns the default app; `nil` before it is configured.
  public static func app() -> FirebaseApp? { app(name: defaultName) }

  /// Returns the app with a name; `nil` before it is configured.
  public static func app(name: String) -> FirebaseApp? { apps.withLock { $0[name] } }

  /// All apps by name; `nil` if there are none.
  public static var allApps: [String: FirebaseApp]? {
    apps.withLock { $0.isEmpty ? nil : $0 }
  }

  /// Removes the app, and reports on the main queue whether it existed.
  public func delete(_ completion: @escaping @MainActor (Bool) -> Void) {
    let wasKnown = Self.apps.withLock { $0.removeValue(forKey: name) != nil }
    DispatchQueue.main.async { completion(wasKnown) }
  }
}

extension ModelManager {
  /// Returns the shared manager: all apps have the same models.
  public static func modelManager(app: FirebaseApp) -> ModelManager { modelManager() }
}
