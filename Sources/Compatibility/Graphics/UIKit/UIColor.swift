public import Foundation

/// A colour.
public class UIColor: NSObject, @unchecked Sendable {
  /// Core Graphics' form of the colour.
  public let cgColor: CGColor

  /// Creates a colour of sRGB, with components in 0…1.
  public init(red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat) {
    cgColor = CGColor(red: red, green: green, blue: blue, alpha: alpha)
  }

  /// Creates a colour from components of Display P3, which count as those of sRGB here.
  public convenience init(displayP3Red red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat)
  {
    self.init(red: red, green: green, blue: blue, alpha: alpha)
  }

  /// Creates a gray.
  public init(white: CGFloat, alpha: CGFloat) {
    cgColor = CGColor(gray: white, alpha: alpha)
  }

  /// Creates a colour from Core Graphics' form.
  public init(cgColor: CGColor) { self.cgColor = cgColor }

  /// Sets the components of sRGB, and returns that it did.
  @discardableResult
  public func getRed(
    _ red: UnsafeMutablePointer<CGFloat>?, green: UnsafeMutablePointer<CGFloat>?,
    blue: UnsafeMutablePointer<CGFloat>?, alpha: UnsafeMutablePointer<CGFloat>?
  ) -> Bool {
    let rgb = cgColor.rgb
    red?.pointee = rgb.red
    green?.pointee = rgb.green
    blue?.pointee = rgb.blue
    alpha?.pointee = cgColor.alpha
    return true
  }

  /// Returns the colour with another opacity.
  public func withAlphaComponent(_ alpha: CGFloat) -> UIColor {
    let rgb = cgColor.rgb
    return UIColor(red: rgb.red, green: rgb.green, blue: rgb.blue, alpha: alpha)
  }

  /// Makes this the fill colour of the context that is drawn to.
  public func setFill() { UIGraphicsGetCurrentContext()?.setFillColor(cgColor) }

  /// Returns whether another object is a colour with the same components.
  public override func isEqual(_ object: Any?) -> Bool {
    (object as? UIColor).map { $0.cgColor == cgColor } ?? false
  }

  /// A hash of the components.
  public override var hash: Int { cgColor.hashValue }
}

extension UIColor {
  /// Black.
  public static let black = UIColor(white: 0, alpha: 1)
  /// A third of white.
  public static let darkGray = UIColor(white: 1.0 / 3, alpha: 1)
  /// Half of white.
  public static let gray = UIColor(white: 0.5, alpha: 1)
  /// Two thirds of white.
  public static let lightGray = UIColor(white: 2.0 / 3, alpha: 1)
  /// White.
  public static let white = UIColor(white: 1, alpha: 1)
  /// Nothing visible.
  public static let clear = UIColor(white: 0, alpha: 0)
  /// Red.
  public static let red = UIColor(red: 1, green: 0, blue: 0, alpha: 1)
  /// Green.
  public static let green = UIColor(red: 0, green: 1, blue: 0, alpha: 1)
  /// Blue.
  public static let blue = UIColor(red: 0, green: 0, blue: 1, alpha: 1)
  /// Green and blue.
  public static let cyan = UIColor(red: 0, green: 1, blue: 1, alpha: 1)
  /// Red and blue.
  public static let magenta = UIColor(red: 1, green: 0, blue: 1, alpha: 1)
  /// Red and green.
  public static let yellow = UIColor(red: 1, green: 1, blue: 0, alpha: 1)
  /// Red and half of green.
  public static let orange = UIColor(red: 1, green: 0.5, blue: 0, alpha: 1)
  /// Half of red and of blue.
  public static let purple = UIColor(red: 0.5, green: 0, blue: 0.5, alpha: 1)
  /// A dark orange.
  public static let brown = UIColor(red: 0.6, green: 0.4, blue: 0.2, alpha: 1)
}
