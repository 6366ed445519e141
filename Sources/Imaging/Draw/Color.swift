/// A colour with opacity.
public struct Color: Hashable, Sendable {
  /// The red component.
  public var red: UInt8
  /// The green component.
  public var green: UInt8
  /// The blue component.
  public var blue: UInt8
  /// The opacity, from 0 (invisible) to 1.
  public var opacity: Double

  /// Creates a colour; `opacity` is clamped to 0…1.
  public init(red: UInt8, green: UInt8, blue: UInt8, opacity: Double = 1) {
    self.red = red
    self.green = green
    self.blue = blue
    self.opacity = min(max(opacity, 0), 1)
  }

  /// Black.
  public static let black = Color(red: 0, green: 0, blue: 0)
  /// White.
  public static let white = Color(red: 255, green: 255, blue: 255)

  /// Returns a stable colour for a class or an identity, distinct from those of nearby numbers.
  ///
  /// Successive hues differ by the golden angle, which spreads them evenly. Every second group of
  /// nine numbers is darker, to tell apart hues that come close to earlier ones.
  public static func distinct(_ number: Int) -> Color {
    let position = Int(UInt(bitPattern: number) % 3600)
    let hue = (Double(position) * 137.508 + 12).truncatingRemainder(dividingBy: 360)
    return Color(hue: hue, saturation: 0.85, value: position / 9 % 2 == 0 ? 1 : 0.75)
  }

  /// Creates a colour from hue, in degrees, saturation and value.
  init(hue: Double, saturation: Double, value: Double) {
    /// Returns the component of the primary colour whose hue is `angle`.
    func amount(_ angle: Double) -> UInt8 {
      var distance = abs(hue - angle).truncatingRemainder(dividingBy: 360)
      distance = min(distance, 360 - distance)
      let share = min(max(2 - distance / 60, 0), 1)
      return UInt8((255 * value * (1 - saturation * (1 - share))).rounded())
    }
    self.init(red: amount(0), green: amount(120), blue: amount(240))
  }

  /// Black or white, whichever is easier to read on this colour.
  public var contrasting: Color {
    // BT.601 luma; the threshold is that of the W3C's note on accessibility.
    299 * Int(red) + 587 * Int(green) + 114 * Int(blue) >= 125_000 ? .black : .white
  }

  /// Returns the colour with another opacity.
  public func withOpacity(_ opacity: Double) -> Color {
    Color(red: red, green: green, blue: blue, opacity: opacity)
  }
}
