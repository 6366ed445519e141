/// What a notification about a download carries: keys of its `userInfo`.
public struct ModelDownloadUserInfoKey: RawRepresentable, Hashable, Sendable {
  /// The key in the dictionary.
  public let rawValue: String

  /// The key with this text.
  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  /// The model, a `RemoteModel`.
  public static let remoteModel = Self(rawValue: "ModelDownloadUserInfoKeyRemoteModel")
  /// What went wrong, an `Error`.
  public static let error = Self(rawValue: "ModelDownloadUserInfoKeyError")
}
