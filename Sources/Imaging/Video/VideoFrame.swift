/// One picture of a video.
public struct VideoFrame: Sendable {
  /// The picture.
  public var image: Image
  /// When it is seen, counted from the first one.
  public var timestamp: Duration
  /// Its number, counted from 0; pictures that could not be read have one too.
  public var index: Int
}
