public import Foundation

/// The conditions for the download of a model.
public final class ModelDownloadConditions: NSObject, NSCopying, Sendable {
  /// Whether a cellular network may be used.
  ///
  /// Only the program knows what network the machine is on: `ModelManager.configure(_:)` takes a
  /// closure that says so. Without it, every network counts as one that may be used.
  public let allowsCellularAccess: Bool
  /// Whether the download continues while the app is in the background; without effect.
  ///
  /// Programs are never suspended here: a download continues for as long as the process runs, and
  /// the next one resumes what remained.
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
