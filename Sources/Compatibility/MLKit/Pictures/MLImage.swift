public import Foundation
public import OcellusCompatibility
public import OcellusGraphics
public import OcellusImaging

/// A picture to be processed, with the type of its source.
///
/// Use it on one thread at a time. Detectors and labelers copy it when they are called, so it may
/// be changed afterwards.
public final class MLImage: NSObject, MLKitCompatibleImage {
  /// The orientation of the stored pixels.
  ///
  /// The initial value is that of the `UIImage`, or `.up` for other sources.
  public var orientation: ImageOrientation

  private enum Source {
    case image(UIImage)
    case pixelBuffer(CVPixelBuffer)
    case sampleBuffer(SampleBuffer)

    /// A copy of the pixels; `nil` for a buffer that is no picture.
    var pixels: Image? {
      switch self {
      case .image(let image): image.pixels
      case .pixelBuffer(let buffer): try? Image(buffer)
      case .sampleBuffer(let buffer): buffer.image
      }
    }
  }

  private let source: Source
  private let pixels: Image

  /// Creates a single picture; `nil` if it has no pixels.
  public convenience init?(image: UIImage) {
    self.init(.image(image), orientation: image.imageOrientation)
  }

  /// Creates a single picture from an `Image`, an addition to the original API.
  public convenience init?(image: Image) { self.init(image: UIImage(image)) }

  /// Creates a picture from the pixels of a buffer; `nil` if it is no picture.
  public convenience init?(pixelBuffer: CVPixelBuffer) {
    self.init(.pixelBuffer(pixelBuffer), orientation: .up)
  }

  /// Creates a picture from a video frame; `nil` if it has no pixels.
  public convenience init?(sampleBuffer: SampleBuffer) {
    self.init(.sampleBuffer(sampleBuffer), orientation: .up)
  }

  private init?(_ source: Source, orientation: ImageOrientation) {
    guard let pixels = source.pixels, pixels.storedSize.width > 0, pixels.storedSize.height > 0
    else { return nil }
    self.source = source
    self.orientation = orientation
    self.pixels = pixels
    super.init()
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
  public var image: UIImage? {
    if case .image(let image) = source { image } else { nil }
  }

  /// The pixels; `nil` for other sources.
  public var pixelBuffer: CVPixelBuffer? {
    if case .pixelBuffer(let pixels) = source { pixels } else { nil }
  }

  /// The video frame; `nil` for other sources.
  public var sampleBuffer: SampleBuffer? {
    if case .sampleBuffer(let buffer) = source { buffer } else { nil }
  }
}

extension MLImage: PictureSupplier {
  package var suppliedPicture: SuppliedPicture {
    SuppliedPicture(
      pixels, orientation: Orientation(orientation), time: sampleBuffer?.presentationTime)
  }
}
