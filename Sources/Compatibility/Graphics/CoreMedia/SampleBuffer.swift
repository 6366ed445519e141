// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import OcellusImaging

/// Core Media's name for a video frame.
public typealias CMSampleBuffer = SampleBuffer

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

  /// The pixels as a buffer of the type 32BGRA, which is a copy; `nil` if there are none.
  public var imageBuffer: CVImageBuffer? { try? CVPixelBuffer(image) }

  /// The time of the frame.
  public var presentationTimeStamp: CMTime { CMTime(presentationTime) }
}

/// Returns the pixels of a video frame as a buffer of the type 32BGRA, which is a copy.
public func CMSampleBufferGetImageBuffer(_ sampleBuffer: CMSampleBuffer) -> CVImageBuffer? {
  sampleBuffer.imageBuffer
}

/// Returns the time of a video frame.
public func CMSampleBufferGetPresentationTimeStamp(_ sampleBuffer: CMSampleBuffer) -> CMTime {
  sampleBuffer.presentationTimeStamp
}
