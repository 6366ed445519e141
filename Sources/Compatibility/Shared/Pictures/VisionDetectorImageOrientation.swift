public import OcellusImaging

/// How stored pixels have to be turned to stand upright: the corner of the scene at the first pixel,
/// with the numbers of EXIF.
public enum VisionDetectorImageOrientation: UInt, CaseIterable, Hashable, Sendable {
  /// The stored picture is upright.
  case topLeft = 1
  /// It is the mirror image of the upright one.
  case topRight = 2
  /// It is upside down.
  case bottomRight = 3
  /// It is upside down and mirrored.
  case bottomLeft = 4
  /// Rows and columns are exchanged.
  case leftTop = 5
  /// It has to be turned a quarter clockwise.
  case rightTop = 6
  /// Rows and columns are exchanged, and both are in the opposite order.
  case rightBottom = 7
  /// It has to be turned a quarter counterclockwise.
  case leftBottom = 8

  /// The same orientation by the name that pictures have for it.
  public init(_ orientation: Orientation) {
    // Both are numbered as in EXIF.
    self = Self(rawValue: UInt(orientation.rawValue)) ?? .topLeft
  }

  /// The orientation of what a camera delivers, by the table of the Firebase guides: that of ML Kit's,
  /// but for a device that lies on its back or face, or of which nothing is known.
  public init(deviceOrientation: DeviceOrientation, cameraPosition: CameraPosition) {
    switch deviceOrientation {
    case .faceUp, .faceDown, .unknown: self = .leftTop
    default: self.init(Orientation(device: deviceOrientation, camera: cameraPosition))
    }
  }
}

extension Orientation {
  /// The same orientation by the name that pictures have for it.
  public init(_ orientation: VisionDetectorImageOrientation) {
    self = Self(rawValue: Int(orientation.rawValue)) ?? .topLeft
  }
}
