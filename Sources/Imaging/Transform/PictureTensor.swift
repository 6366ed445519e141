/// The form in which a network takes a picture: the tensor's elements, size, order and scale.
public struct PictureTensor: Hashable, Sendable {
  /// The type of an element, and how real numbers are encoded in it.
  public enum Element: Hashable, Sendable {
    /// Unsigned bytes; a byte q stands for `scale · (q - zeroPoint)`.
    case uint8(scale: Float = 1, zeroPoint: Int = 0)
    /// Signed bytes.
    case int8(scale: Float = 1, zeroPoint: Int = -128)
    /// Signed 16-bit numbers.
    case int16(scale: Float = 1, zeroPoint: Int = 0)
    /// The numbers themselves, as 32-bit floats.
    case float32

    /// The bytes of one element.
    public var byteCount: Int {
      switch self {
      case .uint8, .int8: 1
      case .int16: 2
      case .float32: 4
      }
    }
  }

  /// What the elements of a pixel are, in order.
  public enum Channels: String, CaseIterable, Hashable, Sendable {
    /// Red, green, blue.
    case rgb
    /// Blue, green, red.
    case bgr
    /// Brightness, with the weights of ITU-R BT.601.
    case gray

    /// The number of elements of a pixel.
    public var count: Int { self == .gray ? 1 : 3 }
  }

  /// The order of the elements.
  public enum Layout: String, CaseIterable, Hashable, Sendable {
    /// Pixel after pixel: `[1, height, width, channels]`.
    case nhwc
    /// Plane after plane: `[1, channels, height, width]`.
    case nchw
  }

  /// What is subtracted from the 8-bit values of the picture, and what the rest is divided by, before
  /// elements are made of them: one number for all channels, or one for each in the tensor's order.
  public struct Normalization: Hashable, Sendable {
    /// What is subtracted.
    public var mean: [Float]
    /// What the difference is divided by.
    public var deviation: [Float]

    /// Subtracts `mean` and divides by `deviation`.
    public init(mean: [Float], deviation: [Float]) {
      self.mean = mean
      self.deviation = deviation
    }

    /// The values as they are: 0…255.
    public static let none = Normalization(mean: [0], deviation: [1])
    /// Numbers from 0 to 1.
    public static let unit = Normalization(mean: [0], deviation: [255])
    /// Numbers from -1 to 1.
    public static let signedUnit = Normalization(mean: [127.5], deviation: [127.5])
  }

  /// The size of the picture in the tensor.
  public var size: PixelSize
  /// The type of the elements.
  public var element: Element
  /// What the elements of a pixel are.
  public var channels: Channels
  /// The order of the elements.
  public var layout: Layout
  /// What the real numbers are that the elements stand for.
  public var normalization: Normalization

  /// A tensor of this form.
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

  /// The bytes of the whole tensor.
  public var byteCount: Int { size.width * size.height * channels.count * element.byteCount }
}
