public import Foundation

/// The conditions for the download of a model.
public final class ModelDownloadConditions: NSObject, NSCopying, Sendable {
  /// Whether a cellular network may be used.
  public let allowsCellularAccess: Bool
  /// Whether the download continues while the app is in the background.
  public let allowsBackgroundDownloading: Bool

  /// Creates conditions.
  public init(allowsCellularAccess: Bool, allowsBackgroundDownloading: Bool = false) {
    self.allowsCellularAccess = allowsCellularAccess
    self.allowsBackgroundDownloading = allowsBackgroundDownloading
  }

  /// Creates conditions for any network, in the foreground.
  public override convenience init() {
    self.init(allowsCellularAccess: true, allowsBackgroundDownloading: false)
  }

  /// Returns this object, which is immutable.
  public func copy(with zone: NSZone? = nil) -> Any { self }
}
