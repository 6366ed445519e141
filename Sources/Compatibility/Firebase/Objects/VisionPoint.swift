public import Foundation

/// A point in a picture, in pixels of the picture as it is stored.
///
/// ML Kit has another type of this name; a file that imports both writes the name of a module in
/// front of it.
public final class VisionPoint: NSObject, @unchecked Sendable {
  /// The distance from the left edge.
  public let x: NSNumber
  /// The distance from the upper edge.
  public let y: NSNumber
  /// The distance from the plane of the picture; `nil` if it is not known.
  public let z: NSNumber?

  /// Creates a point; nothing here returns one, but programs have functions that take them.
  public init(x: NSNumber, y: NSNumber, z: NSNumber? = nil) {
    self.x = x
    self.y = y
    self.z = z
  }
}
