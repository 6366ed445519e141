package import OcellusImaging

/// A picture as it was given to a detector or labeler, copied at that moment.
package struct SuppliedPicture: Sendable {
  /// The pixels, turned as the caller says.
  package var image: Image
  /// When the picture was taken; `nil` for single pictures, which do not say.
  package var time: Duration?

  package init(_ image: Image, orientation: Orientation, time: Duration? = nil) {
    self.image = image
    self.image.orientation = orientation
    self.time = time
  }

  var hasPixels: Bool { image.storedSize.width > 0 && image.storedSize.height > 0 }
}

/// What can be given to a detector or a labeler.
package protocol PictureSupplier {
  /// The picture as it is now.
  var suppliedPicture: SuppliedPicture { get }
}
