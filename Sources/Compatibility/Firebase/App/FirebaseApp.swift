public import Foundation
public import OcellusCompatibility
import OcellusStore
import Synchronization

/// A program that uses Firebase, by its name.
///
/// All apps of a process have the same hosted models: those of the store that `ModelManager.configure(_:)`
/// was given, or else of the project of the first app that has one.
public final class FirebaseApp: NSObject, Sendable {
  private static let defaultName = "__FIRAPP_DEFAULT"
  private static let apps = Mutex<[String: FirebaseApp]>([:])

  /// The name; the default app has one of the original's own.
  public let name: String
  /// The project that the app belongs to.
  public let options: FirebaseOptions

  private init(name: String, options: FirebaseOptions) {
    self.name = name
    self.options = options
  }

  /// Makes the default app, for the project of `GoogleService-Info.plist` in the program's resources.
  ///
  /// Without that file nothing fails, unlike in the original: bundled models need no project.
  public static func configure() {
    configure(options: FirebaseOptions.defaultOptions() ?? FirebaseOptions())
  }

  /// Makes the default app.
  public static func configure(options: FirebaseOptions) {
    configure(name: defaultName, options: options)
  }

  /// Makes an app; one of the same name stays as it is.
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
      HostedModels.shared.configureIfNobodyDid(.init(store: ModelStore(host)))
    }
  }

  /// The default app; `nil` before it is configured.
  public static func app() -> FirebaseApp? { app(name: defaultName) }

  /// The app of a name; `nil` before it is configured.
  public static func app(name: String) -> FirebaseApp? { apps.withLock { $0[name] } }

  /// All apps by their names; `nil` while there are none.
  public static var allApps: [String: FirebaseApp]? {
    apps.withLock { $0.isEmpty ? nil : $0 }
  }

  /// Forgets the app, and says on the main queue that it did.
  public func delete(_ completion: @escaping @MainActor (Bool) -> Void) {
    let wasKnown = Self.apps.withLock { $0.removeValue(forKey: name) != nil }
    DispatchQueue.main.async { completion(wasKnown) }
  }
}

extension ModelManager {
  /// The one manager: all apps have the same models.
  public static func modelManager(app: FirebaseApp) -> ModelManager { modelManager() }
}
