/// A colour with opacity.
public struct Color: Hashable, Sendable {
  /// The amount of red.
  public var red: UInt8
  /// The amount of green.
  public var green: UInt8
  /// The amount of blue.
  public var blue: UInt8
  /// From 0, invisible, to 1.
  public var opacity: Double

  /// The colour of these amounts.
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

  /// A colour for a class or an identity: always the same for a number, and far from the colours of
  /// the numbers next to it.
  ///
  /// Hues follow each other by the golden angle, which never comes near to a place where it was; every
  /// second round of nine has a darker tone, for hues that did.
  public static func distinct(_ number: Int) -> Color {
    let position = Int(UInt(bitPattern: number) % 3600)
    let hue = (Double(position) * 137.508 + 12).truncatingRemainder(dividingBy: 360)
    return Color(hue: hue, saturation: 0.85, value: position / 9 % 2 == 0 ? 1 : 0.75)
  }

  /// The colour at an angle of the colour wheel, in degrees.
  init(hue: Double, saturation: Double, value: Double) {
    /// How much of a colour there is whose own hue is `angle`.
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
    // Brightness with the weights of ITU-R BT.601; the limit is that of the W3C's accessibility note.
    299 * Int(red) + 587 * Int(green) + 114 * Int(blue) >= 125_000 ? .black : .white
  }

  /// The same colour, letting through what is below it.
  public func withOpacity(_ opacity: Double) -> Color {
    Color(red: red, green: green, blue: blue, opacity: opacity)
  }
}
