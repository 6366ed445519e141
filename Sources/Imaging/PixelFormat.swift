/// What the bytes of a picture mean.
public enum PixelFormat: Hashable, Sendable {
  /// One byte a pixel: brightness.
  case gray8
  /// Two bytes a pixel, in the order of this machine: brightness.
  case gray16
  /// Three bytes a pixel: red, green, blue.
  case rgb8
  /// Four bytes a pixel: red, green, blue, and opacity, by which the colours are not multiplied.
  case rgba8
  /// Four bytes a pixel: blue, green, red and opacity, as most cameras and screens have them.
  case bgra8
  /// A plane of brightness, and one of half the size both ways with pairs of Cb and Cr.
  case nv12(YCbCrEncoding)
  /// A plane of brightness, and two of half the size both ways: Cb, then Cr.
  case i420(YCbCrEncoding)
  /// One plane of 32-bit floats for every channel; one channel is gray, three are red, green, blue.
  case planarFloat(channels: Int)
}

/// How brightness and colour differences encode red, green and blue.
public struct YCbCrEncoding: Hashable, Sendable {
  /// The standard that says how much each colour contributes to the brightness.
  public enum Matrix: String, CaseIterable, Hashable, Sendable {
    /// ITU-R BT.601: JPEG, and video of standard definition.
    case bt601
    /// ITU-R BT.709: video of high definition.
    case bt709
  }

  /// Which of the 256 values are used.
  public enum Range: String, CaseIterable, Hashable, Sendable {
    /// 16…235 for brightness, 16…240 for colour differences.
    case video
    /// 0…255 for everything.
    case full
  }

  /// The weights of the colours.
  public var matrix: Matrix
  /// The values in use.
  public var range: Range

  /// The encoding with these weights and values.
  public init(matrix: Matrix, range: Range) {
    self.matrix = matrix
    self.range = range
  }

  /// What JPEG files use.
  public static let jpeg = YCbCrEncoding(matrix: .bt601, range: .full)
}

extension PixelFormat {
  /// One plane of a format: how its rows follow from the size of the picture.
  package struct PlaneLayout: Hashable, Sendable {
    /// The bytes of one element of a row: a whole pixel, or a pair of Cb and Cr.
    package var bytesPerElement: Int
    /// How many pixels of the picture share one element, in each direction.
    package var subsampling = 1

    /// The number of elements that cover `length` pixels.
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
