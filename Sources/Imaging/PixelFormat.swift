/// The format of a picture's pixels.
public enum PixelFormat: Hashable, Sendable {
  /// One byte per pixel: luma.
  case gray8
  /// Two bytes per pixel, in native byte order: luma.
  case gray16
  /// Three bytes per pixel: red, green, blue.
  case rgb8
  /// Four bytes per pixel: red, green, blue and alpha, not premultiplied.
  case rgba8
  /// Four bytes per pixel: blue, green, red and alpha, the usual order of cameras and screens.
  case bgra8
  /// A plane of luma, and one of interleaved Cb and Cr at half the width and height.
  case nv12(YCbCrEncoding)
  /// A plane of luma, and two at half the width and height: Cb, then Cr.
  case i420(YCbCrEncoding)
  /// One plane of 32-bit floats per channel; one channel is gray, three are red, green and blue.
  case planarFloat(channels: Int)
}

/// The encoding of red, green and blue as luma and chroma.
public struct YCbCrEncoding: Hashable, Sendable {
  /// The standard that defines how much each colour contributes to luma.
  public enum Matrix: String, CaseIterable, Hashable, Sendable {
    /// ITU-R BT.601: JPEG, and standard-definition video.
    case bt601
    /// ITU-R BT.709: high-definition video.
    case bt709
  }

  /// The range of the 256 byte values that is used.
  public enum Range: String, CaseIterable, Hashable, Sendable {
    /// 16…235 for luma, 16…240 for chroma.
    case video
    /// 0…255 for everything.
    case full
  }

  /// The contributions of the colours to luma.
  public var matrix: Matrix
  /// The range of byte values in use.
  public var range: Range

  /// Creates an encoding.
  public init(matrix: Matrix, range: Range) {
    self.matrix = matrix
    self.range = range
  }

  /// The encoding of JPEG files.
  public static let jpeg = YCbCrEncoding(matrix: .bt601, range: .full)
}

extension PixelFormat {
  /// The layout of one plane of a format, from which the size of its rows follows.
  package struct PlaneLayout: Hashable, Sendable {
    /// The size in bytes of one element of a row: a pixel, or a pair of Cb and Cr.
    package var bytesPerElement: Int
    /// The number of pixels, in each direction, that share one element.
    package var subsampling = 1

    /// Returns the number of elements that cover `length` pixels.
    package func elements(covering length: Int) -> Int { (length + subsampling - 1) / subsampling }
  }

  /// The planes of the format, in the order in which they are stored.
  package var planeLayouts: [PlaneLayout] {
    switch self {
    case .gray8: [PlaneLayout(bytesPerElement: 1)]
    case .gray16: [PlaneLayout(bytesPerElement: 2)]
    case .rgb8: [PlaneLayout(bytesPerElement: 3)]
    case .rgba8, .bgra8: [PlaneLayout(bytesPerElement: 4)]
    case .nv12:
      [PlaneLayout(bytesPerElement: 1), PlaneLayout(bytesPerElement: 2, subsampling: 2)]
    case .i420:
      [PlaneLayout(bytesPerElement: 1)]
        + Array(repeating: PlaneLayout(bytesPerElement: 1, subsampling: 2), count: 2)
    case .planarFloat(let channels):
      Array(repeating: PlaneLayout(bytesPerElement: 4), count: channels)
    }
  }
}

extension PixelFormat: CustomStringConvertible {
  /// The name of the format, as the command line prints it.
  public var description: String {
    switch self {
    case .gray8: "gray8"
    case .gray16: "gray16"
    case .rgb8: "rgb8"
    case .rgba8: "rgba8"
    case .bgra8: "bgra8"
    case .nv12(let encoding): "nv12 (\(encoding))"
    case .i420(let encoding): "i420 (\(encoding))"
    case .planarFloat(let channels): "planar float, \(channels) channels"
    }
  }
}

extension YCbCrEncoding: CustomStringConvertible {
  /// The name of the encoding: `bt601 full`.
  public var description: String { "\(matrix) \(range)" }
}
