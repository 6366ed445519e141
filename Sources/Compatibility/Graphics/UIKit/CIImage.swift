public import Foundation
import OcellusImaging

/// A picture for `CIContext`, which makes pixels of it; there are no filters here.
public class CIImage: NSObject, @unchecked Sendable {
  let picture: CGImage?

  /// Creates a picture with a copy of the pixels of a buffer.
  public init(cvPixelBuffer: CVPixelBuffer) {
    picture = (try? Image(cvPixelBuffer)).map(CGImage.init)
  }

  /// Creates a picture of pixels.
  public init(cgImage: CGImage) { picture = cgImage }

  /// Creates a picture of a UIKit picture's stored pixels; `nil` if it has none.
  public init?(image: UIImage) {
    guard let pixels = image.cgImage else { return nil }
    picture = pixels
  }

  /// The rectangle that the pixels cover.
  public var extent: CGRect {
    CGRect(x: 0, y: 0, width: picture?.width ?? 0, height: picture?.height ?? 0)
  }
}

/// What makes pixels of a `CIImage`.
public final class CIContext: Sendable {
  /// Creates a context; the options have no effect.
  public init(options: [String: Any]? = nil) {}

  /// Returns the pixels in a rectangle whose origin is at the lower left; `nil` if there are none.
  public func createCGImage(_ image: CIImage, from rect: CGRect) -> CGImage? {
    let top = image.extent.height - rect.maxY
    return image.picture?.cropping(
      to: CGRect(x: rect.minX, y: top, width: rect.width, height: rect.height))
  }
}
