public import Foundation
public import OcellusCompatibility
public import OcellusImaging

/// A picture to look at, which knows what it was made from.
///
/// It belongs to one thread at a time. Detectors and labelers take a copy when they are called, so
/// that it can be changed afterwards.
public final class MLImage: NSObject, MLKitCompatibleImage {
  /// How the stored pixels have to be turned to stand upright: at first as a single picture says
  /// itself, and `.up` for all others.
  public var orientation: ImageOrientation

  private enum Source {
    case image(Image)
    case pixelBuffer(Image)
    case sampleBuffer(SampleBuffer)
  }

  private let source: Source

  /// A single picture; `nil` when it has no pixels.
  public convenience init?(image: Image) {
    self.init(.image(image), orientation: image.imageOrientation)
  }

  /// Pixels, in place of a `CVPixelBuffer`; `nil` when there are none.
  public convenience init?(pixelBuffer: Image) {
    self.init(.pixelBuffer(pixelBuffer), orientation: .up)
  }

  /// A picture of a video; `nil` when it has no pixels.
  public convenience init?(sampleBuffer: SampleBuffer) {
    self.init(.sampleBuffer(sampleBuffer), orientation: .up)
  }

  private init?(_ source: Source, orientation: ImageOrientation) {
    self.source = source
    self.orientation = orientation
    super.init()
    guard width > 0, height > 0 else { return nil }
  }

  /// The pixels in a stored row.
  public var width: CGFloat { CGFloat(pixels.storedSize.width) }

  /// The stored rows.
  public var height: CGFloat { CGFloat(pixels.storedSize.height) }

  /// What the picture was made from.
  public var imageSourceType: MLImageSourceType {
    switch source {
    case .image: .image
    case .pixelBuffer: .pixelBuffer
    case .sampleBuffer: .sampleBuffer
    }
  }

  /// The single picture; `nil` when this was made from something else.
  public var image: Image? {
    if case .image(let image) = source { image } else { nil }
  }

  /// The pixels; `nil` when this was made from something else.
  public var pixelBuffer: Image? {
    if case .pixelBuffer(let pixels) = source { pixels } else { nil }
  }

  /// The picture of a video; `nil` when this was made from something else.
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
