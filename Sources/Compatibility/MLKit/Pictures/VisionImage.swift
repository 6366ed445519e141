public import Foundation
public import OcellusCompatibility
public import OcellusImaging

/// A picture to look at.
///
/// It belongs to one thread at a time. Detectors and labelers take a copy when they are called, so
/// that it can be changed afterwards.
public final class VisionImage: NSObject, MLKitCompatibleImage {
  /// How the stored pixels have to be turned to stand upright.
  public var orientation: ImageOrientation = .up

  private let image: Image
  private let time: Duration?

  /// A single picture.
  ///
  /// As in the original, its own orientation is not looked at: set `orientation` to
  /// `image.imageOrientation`.
  public init(image: Image) {
    self.image = image
    time = nil
  }

  /// A picture of a video.
  public init(buffer: SampleBuffer) {
    image = buffer.image
    time = buffer.presentationTime
  }
}

extension VisionImage: PictureSupplier {
  package var suppliedPicture: SuppliedPicture {
    SuppliedPicture(image, orientation: Orientation(orientation), time: time)
  }
}
