public import Foundation

/// When a model may be downloaded.
public final class ModelDownloadConditions: NSObject, NSCopying, Sendable {
  /// Whether the network of mobile phones may be used.
  public let allowsCellularAccess: Bool
  /// Whether the download goes on while the program is in the background.
  public let allowsBackgroundDownloading: Bool

  /// Conditions for a download.
  public init(allowsCellularAccess: Bool, allowsBackgroundDownloading: Bool = false) {
    self.allowsCellularAccess = allowsCellularAccess
    self.allowsBackgroundDownloading = allowsBackgroundDownloading
  }

  /// Over any network, in the foreground.
  public override convenience init() {
    self.init(allowsCellularAccess: true, allowsBackgroundDownloading: false)
  }

  /// The conditions themselves: they do not change.
  public func copy(with zone: NSZone? = nil) -> Any { self }
}
