package import OcellusImaging

/// A copy of a picture that was passed to a detector or labeler.
package struct SuppliedPicture: Sendable {
  /// The pixels, with the orientation that the caller specified.
  package var image: Image
  /// The time of the picture; `nil` for single pictures, which have none.
  package var time: Duration?

  package init(_ image: Image, orientation: Orientation, time: Duration? = nil) {
    self.image = image
    self.image.orientation = orientation
    self.time = time
  }

  var hasPixels: Bool { image.storedSize.width > 0 && image.storedSize.height > 0 }
}

/// A type that can be passed to a detector or labeler.
package protocol PictureSupplier {
  /// A copy of the picture.
  var suppliedPicture: SuppliedPicture { get }
}
