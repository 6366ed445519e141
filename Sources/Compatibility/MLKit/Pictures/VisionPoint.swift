public import Foundation

/// A point in a picture, in pixels of the picture as it is stored.
public class VisionPoint: NSObject, @unchecked Sendable {
  /// The distance from the left edge.
  public let x: CGFloat
  /// The distance from the upper edge.
  public let y: CGFloat

  /// Creates a point; nothing here returns one, but programs have functions that take them.
  public init(x: CGFloat, y: CGFloat) {
    self.x = x
    self.y = y
  }
}

/// A point in a picture with a distance from the plane of the picture, in the same units.
public final class Vision3DPoint: VisionPoint, @unchecked Sendable {
  /// The distance from the plane, smaller towards the camera.
  public let z: CGFloat

  /// Creates a point; nothing here returns one, but programs have functions that take them.
  public init(x: CGFloat, y: CGFloat, z: CGFloat) {
    self.z = z
    super.init(x: x, y: y)
  }
}
