public import OcellusImaging

/// The orientation of stored pixels: the corner of the scene at the first pixel, numbered as in
/// EXIF.
public enum VisionDetectorImageOrientation: UInt, CaseIterable, Hashable, Sendable {
  /// The stored picture is upright.
  case topLeft = 1
  /// The stored picture is the mirror image of the upright one.
  case topRight = 2
  /// The stored picture is upside down.
  case bottomRight = 3
  /// The stored picture is upside down and mirrored.
  case bottomLeft = 4
  /// The stored picture is transposed.
  case leftTop = 5
  /// The stored picture has to be rotated a quarter turn clockwise.
  case rightTop = 6
  /// The stored picture is transposed, and its rows and columns are in reverse order.
  case rightBottom = 7
  /// The stored picture has to be rotated a quarter turn counterclockwise.
  case leftBottom = 8

  /// Converts an `Orientation`.
  public init(_ orientation: Orientation) {
    // Both are numbered as in EXIF.
    self = Self(rawValue: UInt(orientation.rawValue)) ?? .topLeft
  }

  /// Creates the orientation of a camera's pictures, by the table in the Firebase guides.
  ///
  /// The table differs from ML Kit's for a device that is lying flat or whose orientation is
  /// unknown.
  public init(deviceOrientation: DeviceOrientation, cameraPosition: CameraPosition) {
    switch deviceOrientation {
    case .faceUp, .faceDown, .unknown: self = .leftTop
    default: self.init(Orientation(device: deviceOrientation, camera: cameraPosition))
    }
  }
}

extension Orientation {
  /// Converts a `VisionDetectorImageOrientation`.
  public init(_ orientation: VisionDetectorImageOrientation) {
    self = Self(rawValue: Int(orientation.rawValue)) ?? .topLeft
  }
}
