/// A key in the `userInfo` of a notification about a download.
public struct ModelDownloadUserInfoKey: RawRepresentable, Hashable, Sendable {
  /// The key in the dictionary.
  public let rawValue: String

  /// Creates a key from its text.
  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  /// The model, a `RemoteModel`.
  public static let remoteModel = Self(rawValue: "ModelDownloadUserInfoKeyRemoteModel")
  /// The error of a failed download: an `NSError` whose `underlyingErrors` has a
  /// `ProcessingError`.
  public static let error = Self(rawValue: "ModelDownloadUserInfoKeyError")
}
