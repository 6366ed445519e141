public import OcellusImaging

/// A video frame, in place of a `CMSampleBuffer`: its pixels and its presentation time.
public struct SampleBuffer: Sendable {
  /// The pixels; the orientation of this image is ignored in favour of the caller's.
  public var image: Image
  /// The time of the frame, relative to any origin; it must not decrease in a stream.
  public var presentationTime: Duration

  /// Creates a video frame.
  public init(image: Image, presentationTime: Duration) {
    self.image = image
    self.presentationTime = presentationTime
  }
}
