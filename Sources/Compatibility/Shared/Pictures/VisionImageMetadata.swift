public import Foundation

/// The metadata of a picture.
///
/// Use it on one thread at a time.
public final class VisionImageMetadata: NSObject {
  /// The orientation of the stored pixels.
  public var orientation = VisionDetectorImageOrientation.topLeft

  /// Creates metadata for upright pixels.
  public override init() {}
}
