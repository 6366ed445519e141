public import Foundation

/// The project that an app belongs to.
public final class FirebaseOptions: NSObject, Sendable {
  /// The project's identifier; `nil` without a project.
  public let projectID: String?
  /// The project's key for programs; `nil` without a project.
  public let apiKey: String?
  /// The program's identifier, where the key is for certain programs only.
  public let bundleID: String

  /// Options for a project; without one, hosted models come from `ModelManager.configure(_:)`.
  public init(projectID: String? = nil, apiKey: String? = nil, bundleID: String = "") {
    self.projectID = projectID
    self.apiKey = apiKey
    self.bundleID = bundleID
  }

  /// What the console exported, `GoogleService-Info.plist`; `nil` when that cannot be read.
  public convenience init?(contentsOfFile path: String) {
    guard let data = FileManager.default.contents(atPath: path),
      let list = try? PropertyListSerialization.propertyList(from: data, format: nil),
      let values = list as? [String: Any]
    else { return nil }
    self.init(
      projectID: values["PROJECT_ID"] as? String, apiKey: values["API_KEY"] as? String,
      bundleID: values["BUNDLE_ID"] as? String ?? "")
  }

  /// The options in the program's resources; `nil` where it has none.
  public static func defaultOptions() -> FirebaseOptions? {
    Bundle.main.path(forResource: "GoogleService-Info", ofType: "plist")
      .flatMap(FirebaseOptions.init(contentsOfFile:))
  }
}
