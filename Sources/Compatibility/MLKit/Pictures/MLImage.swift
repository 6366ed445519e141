public import Foundation
public import OcellusCompatibility
public import OcellusImaging

/// A picture to be processed, with the type of its source.
///
/// Use it on one thread at a time. Detectors and labelers copy it when they are called, so it may
/// be changed afterwards.
public final class MLImage: NSObject, MLKitCompatibleImage {
  /// The orientation of the stored pixels.
  ///
  /// The initial value is that of the `Image`, or `.up` for other sources.
  public var orientation: ImageOrientation

  private enum Source {
    case image(Image)
    case pixelBuffer(Image)
    case sampleBuffer(SampleBuffer)
  }

  private let source: Source

  /// Creates a single picture; `nil` if it has no pixels.
  public convenience init?(image: Image) {
    self.init(.image(image), orientation: image.imageOrientation)
  }

  /// Creates a picture from pixels, in place of a `CVPixelBuffer`; `nil` if there are none.
  public convenience init?(pixelBuffer: Image) {
    self.init(.pixelBuffer(pixelBuffer), orientation: .up)
  }

  /// Creates a picture from a video frame; `nil` if it has no pixels.
  public convenience init?(sampleBuffer: SampleBuffer) {
    self.init(.sampleBuffer(sampleBuffer), orientation: .up)
  }

  private init?(_ source: Source, orientation: ImageOrientation) {
    self.source = source
    self.orientation = orientation
    super.init()
    guard width > 0, height > 0 else { return nil }
  }

  /// The number of pixels in a stored row.
  public var width: CGFloat { CGFloat(pixels.storedSize.width) }

  /// The number of stored rows.
  public var height: CGFloat { CGFloat(pixels.storedSize.height) }

  /// The type of the source.
  public var imageSourceType: MLImageSourceType {
    switch source {
    case .image: .image
    case .pixelBuffer: .pixelBuffer
    case .sampleBuffer: .sampleBuffer
    }
  }

  /// The single picture; `nil` for other sources.
  public var image: Image? {
    if case .image(let image) = source { image } else { nil }
  }

  /// The pixels; `nil` for other sources.
  public var pixelBuffer: Image? {
    if case .pixelBuffer(let pixels) = source { pixels } else { nil }
  }

  /// The video frame; `nil` for other sources.
  public var sampleBuffer: SampleBuffer? {
    if case .sampleBuffer(let buffer) = source { buffer } else { nil }
  }

  private var pixels: Image {
    switch source {
    case .image(let image), .pixelBuffer(let image): image
    case .sampleBuffer(let buffer): buffer.image
    }
  }
}

extension MLImage: PictureSupplier {
  package var suppliedPicture: SuppliedPicture {
    SuppliedPicture(
      pixels, orientation: Orientation(orientation), time: sampleBuffer?.presentationTime)
  }
}
