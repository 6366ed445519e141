public import Foundation

/// The project that an app belongs to.
public final class FirebaseOptions: NSObject, Sendable {
  /// The identifier of the project; `nil` without a project.
  public let projectID: String?
  /// The API key of the project; `nil` without a project.
  public let apiKey: String?
  /// The identifier of the app, for API keys that are restricted to certain apps.
  public let bundleID: String

  /// Creates options; without a project, hosted models come from `ModelManager.configure(_:)`.
  public init(projectID: String? = nil, apiKey: String? = nil, bundleID: String = "") {
    self.projectID = projectID
    self.apiKey = apiKey
    self.bundleID = bundleID
  }

  /// Reads a `GoogleService-Info.plist` from the console; `nil` if it cannot be read.
  public convenience init?(contentsOfFile path: String) {
    guard let data = FileManager.default.contents(atPath: path),
      let list = try? PropertyListSerialization.propertyList(from: data, format: nil),
      let values = list as? [String: Any]
    else { return nil }
    self.init(
      projectID: values["PROJECT_ID"] as? String, apiKey: values["API_KEY"] as? String,
      bundleID: values["BUNDLE_ID"] as? String ?? "")
  }

  /// Returns the options in the app's resources; `nil` if there are none.
  public static func defaultOptions() -> FirebaseOptions? {
    Bundle.main.path(forResource: "GoogleService-Info", ofType: "plist")
      .flatMap(FirebaseOptions.init(contentsOfFile:))
  }
}
