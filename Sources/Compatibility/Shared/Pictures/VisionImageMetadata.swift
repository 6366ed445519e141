public import Foundation

/// What is known about a picture besides its pixels.
///
/// It belongs to one thread at a time.
public final class VisionImageMetadata: NSObject {
  /// How the stored pixels have to be turned to stand upright.
  public var orientation = VisionDetectorImageOrientation.topLeft

  /// Nothing special: the stored pixels are upright.
  public override init() {}
}
