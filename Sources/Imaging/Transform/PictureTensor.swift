/// The form of a network's input picture: the element type, size, channel order and normalization.
public struct PictureTensor: Hashable, Sendable {
  /// The type of an element, and its encoding of real numbers.
  public enum Element: Hashable, Sendable {
    /// Unsigned bytes; the byte q stands for `scale · (q - zeroPoint)`.
    case uint8(scale: Float = 1, zeroPoint: Int = 0)
    /// Signed bytes, encoded likewise.
    case int8(scale: Float = 1, zeroPoint: Int = -128)
    /// Signed 16-bit integers, encoded likewise.
    case int16(scale: Float = 1, zeroPoint: Int = 0)
    /// Real numbers, as 32-bit floats.
    case float32

    /// The size of one element, in bytes.
    public var byteCount: Int {
      switch self {
      case .uint8, .int8: 1
      case .int16: 2
      case .float32: 4
      }
    }
  }

  /// The channels of a pixel, in order.
  public enum Channels: String, CaseIterable, Hashable, Sendable {
    /// Red, green, blue.
    case rgb
    /// Blue, green, red.
    case bgr
    /// Luma, with the weights of ITU-R BT.601.
    case gray

    /// The number of channels.
    public var count: Int { self == .gray ? 1 : 3 }
  }

  /// The order of the elements.
  public enum Layout: String, CaseIterable, Hashable, Sendable {
    /// Pixel after pixel: `[1, height, width, channels]`.
    case nhwc
    /// Plane after plane: `[1, channels, height, width]`.
    case nchw
  }

  /// The mean and the deviation that map the 8-bit values of the picture to real numbers.
  ///
  /// Each has one number for all channels, or one per channel in the tensor's order.
  public struct Normalization: Hashable, Sendable {
    /// The numbers to subtract.
    public var mean: [Float]
    /// The numbers by which the difference is divided.
    public var deviation: [Float]

    /// Creates a normalization that subtracts `mean` and divides by `deviation`.
    public init(mean: [Float], deviation: [Float]) {
      self.mean = mean
      self.deviation = deviation
    }

    /// The unchanged values: 0…255.
    public static let none = Normalization(mean: [0], deviation: [1])
    /// Real numbers from 0 to 1.
    public static let unit = Normalization(mean: [0], deviation: [255])
    /// Real numbers from -1 to 1.
    public static let signedUnit = Normalization(mean: [127.5], deviation: [127.5])
  }

  /// The size of the picture in the tensor.
  public var size: PixelSize
  /// The type of the elements.
  public var element: Element
  /// The channels of a pixel.
  public var channels: Channels
  /// The order of the elements.
  public var layout: Layout
  /// The mapping of 8-bit values to the real numbers that the elements encode.
  public var normalization: Normalization

  /// Creates a description of a tensor.
  public init(
    size: PixelSize, element: Element = .uint8(), channels: Channels = .rgb, layout: Layout = .nhwc,
    normalization: Normalization = .none
  ) {
    self.size = size
    self.element = element
    self.channels = channels
    self.layout = layout
    self.normalization = normalization
  }

  /// The size of the whole tensor, in bytes.
  public var byteCount: Int { size.width * size.height * channels.count * element.byteCount }
}
