public import Foundation
public import OcellusImaging

/// A picture with an orientation and a scale.
///
/// It has the pixels of an `Image`, whatever their format, and does not change.
public class UIImage: NSObject, NSCopying, @unchecked Sendable {
  /// UIKit's name for the orientation of stored pixels.
  public typealias Orientation = ImageOrientation

  /// The stored pixels; `nil` for a picture without pixels.
  public let cgImage: CGImage?
  /// The number of pixels in a point.
  public let scale: CGFloat
  /// The rotation or mirroring that makes the stored pixels upright.
  public let imageOrientation: ImageOrientation

  /// Creates a picture from pixels.
  public init(cgImage: CGImage, scale: CGFloat, orientation: Orientation) {
    self.cgImage = cgImage
    self.scale = scale > 0 ? scale : 1
    imageOrientation = orientation
  }

  /// Creates a picture from pixels that are upright.
  public convenience init(cgImage: CGImage) {
    self.init(cgImage: cgImage, scale: 1, orientation: .up)
  }

  /// Creates a picture without pixels.
  public override init() {
    cgImage = nil
    scale = 1
    imageOrientation = .up
  }

  /// Creates a picture from an `Image`, an addition to the original API.
  public convenience init(_ image: Image) {
    self.init(
      cgImage: CGImage(image), scale: 1, orientation: ImageOrientation(image.orientation))
  }

  /// Decodes the bytes of a picture file; `nil` if they are none.
  ///
  /// `Image(decoding:)` says why.
  public convenience init?(data: Data) { self.init(data: data, scale: 1) }

  /// Decodes the bytes of a picture file; `nil` if they are none.
  public convenience init?(data: Data, scale: CGFloat) {
    guard let image = try? data.withUnsafeBytes({ try Image(decoding: $0) }) else { return nil }
    self.init(
      cgImage: CGImage(image), scale: scale, orientation: ImageOrientation(image.orientation))
  }

  /// Reads a picture file; `nil` if there is none.
  ///
  /// `Image(contentsOf:)` says why.
  public convenience init?(contentsOfFile path: String) {
    guard let image = try? Image(contentsOf: path) else { return nil }
    self.init(image)
  }

  /// Reads a picture file from the program's resources, which lie in the program's folder.
  ///
  /// A name without an extension is that of a PNG or JPEG file.
  public convenience init?(named name: String) { self.init(named: name, in: .main) }

  /// Reads a picture file from a bundle's resources, as a package's `Bundle.module`.
  public convenience init?(named name: String, in bundle: Bundle?) {
    let file = name as NSString
    let suffixes = file.pathExtension.isEmpty ? ["png", "jpg", "jpeg"] : [file.pathExtension]
    let paths = suffixes.lazy.compactMap {
      (bundle ?? .main).path(forResource: file.deletingPathExtension, ofType: $0)
    }
    guard let path = paths.first else { return nil }
    self.init(contentsOfFile: path)
  }

  /// Returns this picture, which does not change.
  public func copy(with zone: NSZone? = nil) -> Any { self }

  /// The size of the upright picture in points.
  public var size: CGSize {
    let size = pixels.size
    return CGSize(width: CGFloat(size.width) / scale, height: CGFloat(size.height) / scale)
  }

  /// The pixels and the orientation as an `Image`, an addition to the original API.
  public var pixels: Image {
    guard var image = cgImage?.picture else {
      return Image(uninitialized: .rgb8, size: PixelSize(width: 0, height: 0))
    }
    image.orientation = OcellusImaging.Orientation(imageOrientation)
    return image
  }

  // MARK: Files

  /// Returns the bytes of a PNG file with the upright picture; `nil` without pixels.
  public func pngData() -> Data? { try? Data(pixels.encoded(as: .png())) }

  /// Returns the bytes of a JPEG file with the upright picture; `nil` without pixels.
  ///
  /// The quality is from 0, the smallest file, to 1.
  public func jpegData(compressionQuality: CGFloat) -> Data? {
    let quality = CGFloat.minimum(CGFloat.maximum(compressionQuality, 0.01), 1)
    return try? Data(pixels.encoded(as: .jpeg(quality: Int((quality * 100).rounded()))))
  }

  // MARK: Drawing

  /// Draws the upright picture into a rectangle of the present context.
  public func draw(in rect: CGRect) { draw(in: rect, blendMode: .normal, alpha: 1) }

  /// Draws the upright picture, with an opacity in 0…1.
  public func draw(in rect: CGRect, blendMode: CGBlendMode, alpha: CGFloat) {
    guard let context = UIGraphicsGetCurrentContext(), cgImage != nil else { return }
    context.saveGState()
    defer { context.restoreGState() }
    context.setBlendMode(blendMode)
    context.setAlpha(alpha)
    // The rows of UIKit's contexts go down, those of pictures that Core Graphics draws go up.
    context.translateBy(x: rect.minX, y: rect.maxY)
    context.scaleBy(x: 1, y: -1)
    context.draw(
      CGImage(pixels.upright()), in: CGRect(x: 0, y: 0, width: rect.width, height: rect.height))
  }

  /// Draws the upright picture in its own size.
  public func draw(at point: CGPoint) { draw(in: CGRect(origin: point, size: size)) }
}
