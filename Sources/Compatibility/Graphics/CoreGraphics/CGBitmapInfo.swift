/// The place of alpha in a pixel, and whether the colours are multiplied by it.
public enum CGImageAlphaInfo: UInt32, Sendable {
  /// There is no alpha.
  case none = 0
  /// Alpha is last, and colours are multiplied by it.
  case premultipliedLast = 1
  /// Alpha is first, and colours are multiplied by it.
  case premultipliedFirst = 2
  /// Alpha is last.
  case last = 3
  /// Alpha is first.
  case first = 4
  /// The last byte has no meaning.
  case noneSkipLast = 5
  /// The first byte has no meaning.
  case noneSkipFirst = 6
  /// There is only alpha.
  case alphaOnly = 7
}

/// The order of the bytes of a pixel.
public enum CGImageByteOrderInfo: UInt32, Sendable {
  /// The usual order: the first component first.
  case orderDefault = 0
  /// The reverse order in each two bytes.
  case order16Little = 0x1000
  /// The reverse order in each four bytes.
  case order32Little = 0x2000
  /// The usual order in each two bytes.
  case order16Big = 0x3000
  /// The usual order in each four bytes.
  case order32Big = 0x4000
}

/// The layout of a pixel: a `CGImageAlphaInfo`, a byte order, and whether components are floats.
public struct CGBitmapInfo: OptionSet, Hashable, Sendable {
  /// The bits of the layout.
  public let rawValue: UInt32

  /// Creates a layout from its bits.
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// The bits of the `CGImageAlphaInfo`.
  public static let alphaInfoMask = CGBitmapInfo(rawValue: 0x1F)
  /// Components are floats, which no type here supports.
  public static let floatComponents = CGBitmapInfo(rawValue: 0x100)
  /// The bits of the byte order.
  public static let byteOrderMask = CGBitmapInfo(rawValue: 0x7000)
  /// The usual order.
  public static let byteOrderDefault = CGBitmapInfo([])
  /// The reverse order in each two bytes.
  public static let byteOrder16Little = CGBitmapInfo(rawValue: 0x1000)
  /// The reverse order in each four bytes.
  public static let byteOrder32Little = CGBitmapInfo(rawValue: 0x2000)
  /// The usual order in each two bytes.
  public static let byteOrder16Big = CGBitmapInfo(rawValue: 0x3000)
  /// The usual order in each four bytes.
  public static let byteOrder32Big = CGBitmapInfo(rawValue: 0x4000)
}
