/// The size of a picture, in pixels.
public struct PixelSize: Hashable, Sendable, CustomStringConvertible {
  /// The number of pixels in a row.
  public var width: Int
  /// The number of rows.
  public var height: Int

  /// A size of `width` by `height` pixels.
  public init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }

  /// The same size, lying on its other side.
  public var transposed: PixelSize { PixelSize(width: height, height: width) }

  /// The size as people write it: `640x480`.
  public var description: String { "\(width)x\(height)" }
}
