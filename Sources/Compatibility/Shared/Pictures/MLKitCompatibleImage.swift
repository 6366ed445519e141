/// A picture for ML Kit's detectors and labelers: a `VisionImage` or an `MLImage`.
///
/// Other conforming types are treated as pictures without pixels.
public protocol MLKitCompatibleImage {}

extension MLKitCompatibleImage {
  /// A copy of the picture; `nil` for types that do not belong to this package.
  package var suppliedPicture: SuppliedPicture? {
    (self as? any PictureSupplier)?.suppliedPicture
  }
}
