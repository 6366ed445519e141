public import OcellusImaging

/// A picture of a video, in place of a `CMSampleBuffer`: its pixels, and when they are to be seen.
public struct SampleBuffer: Sendable {
  /// The pixels as they are stored; how they are to be turned is said elsewhere.
  public var image: Image
  /// When the picture was taken, from any origin; later pictures of a stream have later times.
  public var presentationTime: Duration

  /// A picture of a video.
  public init(image: Image, presentationTime: Duration) {
    self.image = image
    self.presentationTime = presentationTime
  }
}
