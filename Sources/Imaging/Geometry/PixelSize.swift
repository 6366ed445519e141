/// The size of a picture, in pixels.
public struct PixelSize: Hashable, Sendable, CustomStringConvertible {
  /// The number of pixels in a row.
  public var width: Int
  /// The number of rows.
  public var height: Int

  /// Creates a size of `width` by `height` pixels.
  public init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }

  /// The size with width and height exchanged.
  public var transposed: PixelSize { PixelSize(width: height, height: width) }

  /// The size in the usual notation: `640x480`.
  public var description: String { "\(width)x\(height)" }
}
