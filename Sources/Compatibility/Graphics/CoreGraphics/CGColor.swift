// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import Foundation

/// The meaning of the components of a colour: gray, or red, green and blue.
///
/// Components are not converted between spaces of the same model: all that is red, green and blue
/// is sRGB here.
public final class CGColorSpace: Hashable, Sendable {
  /// The name of the space; `nil` for that of a device.
  public let name: CFString?
  /// The number of components, without alpha.
  public let numberOfComponents: Int

  init(name: CFString?, numberOfComponents: Int) {
    self.name = name
    self.numberOfComponents = numberOfComponents
  }

  /// Creates one of the spaces with a name below; `nil` for others.
  public convenience init?(name: CFString) {
    guard let count = Self.componentCounts[name] else { return nil }
    self.init(name: name, numberOfComponents: count)
  }

  private static let componentCounts = [
    sRGB: 3, genericRGBLinear: 3, displayP3: 3, linearSRGB: 3, extendedSRGB: 3,
    genericGrayGamma2_2: 1,
    linearGray: 1,
  ]

  /// The name of the usual space of pictures.
  public static let sRGB: CFString = "kCGColorSpaceSRGB"
  /// The name of sRGB with linear components.
  public static let linearSRGB: CFString = "kCGColorSpaceLinearSRGB"
  /// The name of sRGB with components outside of 0…1.
  public static let extendedSRGB: CFString = "kCGColorSpaceExtendedSRGB"
  /// The name of a space with linear components.
  public static let genericRGBLinear: CFString = "kCGColorSpaceGenericRGBLinear"
  /// The name of the space of wide-gamut screens.
  public static let displayP3: CFString = "kCGColorSpaceDisplayP3"
  /// The name of the usual space of gray pictures.
  public static let genericGrayGamma2_2: CFString = "kCGColorSpaceGenericGrayGamma2_2"
  /// The name of a space of linear gray.
  public static let linearGray: CFString = "kCGColorSpaceLinearGray"

  /// The space of red, green and blue of a device.
  static let deviceRGB = CGColorSpace(name: nil, numberOfComponents: 3)
  /// The space of gray of a device.
  static let deviceGray = CGColorSpace(name: nil, numberOfComponents: 1)

  /// Returns whether two spaces have the same name and number of components.
  public static func == (first: CGColorSpace, second: CGColorSpace) -> Bool {
    first.name == second.name && first.numberOfComponents == second.numberOfComponents
  }

  /// Adds the name and the number of components to a hash.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(name)
    hasher.combine(numberOfComponents)
  }
}

/// Returns the space of red, green and blue.
public func CGColorSpaceCreateDeviceRGB() -> CGColorSpace { .deviceRGB }

/// Returns the space of gray.
public func CGColorSpaceCreateDeviceGray() -> CGColorSpace { .deviceGray }

/// What happens to colours that a space cannot show; without effect here.
public enum CGColorRenderingIntent: Int32, Sendable {
  case defaultIntent = 0
  case absoluteColorimetric = 1
  case relativeColorimetric = 2
  case perceptual = 3
  case saturation = 4
}

/// A colour with components in 0…1, the last of which is alpha.
public final class CGColor: Hashable, Sendable {
  /// The meaning of the components.
  public let colorSpace: CGColorSpace?
  /// The components, with alpha as the last one.
  public let components: [CGFloat]?

  private init(_ colorSpace: CGColorSpace, _ components: [CGFloat]) {
    self.colorSpace = colorSpace
    self.components = components
  }

  /// Creates a colour of sRGB.
  public convenience init(red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat) {
    self.init(.deviceRGB, [red, green, blue, alpha])
  }

  /// Creates a gray.
  public convenience init(gray: CGFloat, alpha: CGFloat) {
    self.init(.deviceGray, [gray, alpha])
  }

  /// The opacity, 0…1.
  public var alpha: CGFloat { components?.last ?? 1 }

  /// The number of components, with alpha.
  public var numberOfComponents: Int { components?.count ?? 0 }

  /// Returns the colour with the components of another space; gray becomes equal red, green and
  /// blue, and colours become their luma.
  public func converted(
    to space: CGColorSpace, intent: CGColorRenderingIntent, options: CFDictionary?
  ) -> CGColor? {
    let (red, green, blue) = rgb
    return space.numberOfComponents == 1
      ? CGColor(space, [0.299 * red + 0.587 * green + 0.114 * blue, alpha])
      : CGColor(space, [red, green, blue, alpha])
  }

  /// Red, green and blue.
  var rgb: (red: CGFloat, green: CGFloat, blue: CGFloat) {
    guard let components, let first = components.first else { return (0, 0, 0) }
    return components.count < 4 ? (first, first, first) : (first, components[1], components[2])
  }

  /// Returns whether two colours have the same components.
  public static func == (first: CGColor, second: CGColor) -> Bool {
    first.components == second.components
  }

  /// Adds the components to a hash.
  public func hash(into hasher: inout Hasher) { hasher.combine(components) }
}
