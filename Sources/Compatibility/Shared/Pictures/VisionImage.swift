public import Foundation
public import OcellusImaging

/// A picture to look at: ML Kit's and Firebase ML Kit's are one type here.
///
/// It belongs to one thread at a time. Detectors and labelers take a copy when they are called, so
/// that it can be changed afterwards.
public final class VisionImage: NSObject, MLKitCompatibleImage {
  /// How the stored pixels have to be turned to stand upright, in the words of ML Kit.
  public var orientation: ImageOrientation = .up
  /// The same in the words of Firebase ML Kit; `nil`: as `orientation` says.
  public var metadata: VisionImageMetadata?

  private let image: Image
  private let time: Duration?

  /// A single picture.
  ///
  /// As in the originals, its own orientation is not looked at: set `orientation` to
  /// `image.imageOrientation`.
  public init(image: Image) {
    self.image = image
    time = nil
  }

  /// A picture of a video, as streams need it.
  public init(buffer: SampleBuffer) {
    image = buffer.image
    time = buffer.presentationTime
  }
}

extension VisionImage: PictureSupplier {
  package var suppliedPicture: SuppliedPicture {
    SuppliedPicture(
      image,
      orientation: metadata.map { Orientation($0.orientation) } ?? Orientation(orientation),
      time: time)
  }
}
