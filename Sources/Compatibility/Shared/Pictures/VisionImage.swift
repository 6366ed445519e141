public import Foundation
public import OcellusGraphics
public import OcellusImaging

/// A picture to be processed, as one type for ML Kit and Firebase ML Kit.
///
/// Use it on one thread at a time. Detectors and labelers copy it when they are called, so it may
/// be changed afterwards.
public final class VisionImage: NSObject, MLKitCompatibleImage {
  /// The orientation of the stored pixels, as in ML Kit's API.
  public var orientation: ImageOrientation = .up
  /// The orientation as in Firebase ML Kit's API; takes precedence over `orientation` unless `nil`.
  public var metadata: VisionImageMetadata?

  private let image: Image
  private let time: Duration?

  /// Creates a single picture.
  ///
  /// As in the original APIs, the orientation of `image` is ignored: set `orientation` to
  /// `image.imageOrientation`.
  public convenience init(image: UIImage) { self.init(image: image.pixels) }

  /// Creates a single picture from an `Image`, an addition to the original APIs.
  ///
  /// Its orientation is ignored, too.
  public init(image: Image) {
    self.image = image
    time = nil
  }

  /// Creates a picture from a video frame, for streams.
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
