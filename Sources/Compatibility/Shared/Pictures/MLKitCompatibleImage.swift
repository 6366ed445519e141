/// A picture that ML Kit's detectors and labelers take: `VisionImage` and `MLImage`.
///
/// Other types can conform but are not understood; they count as pictures without pixels.
public protocol MLKitCompatibleImage {}

extension MLKitCompatibleImage {
  /// The picture as it is now; `nil` when this is a type that only the program knows.
  package var suppliedPicture: SuppliedPicture? {
    (self as? any PictureSupplier)?.suppliedPicture
  }
}
