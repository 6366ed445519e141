public import OcellusImaging

/// How stored pixels have to be turned to stand upright: `UIImage.Orientation`, with its names and
/// raw values.
public enum ImageOrientation: Int, CaseIterable, Hashable, Sendable {
  /// The stored picture is upright.
  case up = 0
  /// It is upside down.
  case down = 1
  /// It has to be turned a quarter counterclockwise.
  case left = 2
  /// It has to be turned a quarter clockwise.
  case right = 3
  /// It is the mirror image of the upright one.
  case upMirrored = 4
  /// It is upside down and mirrored.
  case downMirrored = 5
  /// Rows and columns are exchanged.
  case leftMirrored = 6
  /// Rows and columns are exchanged, and both are in the opposite order.
  case rightMirrored = 7

  /// The same orientation by its number in EXIF.
  public init(_ orientation: Orientation) {
    self =
      switch orientation {
      case .topLeft: .up
      case .topRight: .upMirrored
      case .bottomRight: .down
      case .bottomLeft: .downMirrored
      case .leftTop: .leftMirrored
      case .rightTop: .right
      case .rightBottom: .rightMirrored
      case .leftBottom: .left
      }
  }

  /// The orientation of what a camera delivers, by the table of the iOS guides.
  public init(deviceOrientation: DeviceOrientation, cameraPosition: CameraPosition) {
    self.init(Orientation(device: deviceOrientation, camera: cameraPosition))
  }
}

extension Orientation {
  /// The same orientation by the name that UIKit has for it.
  public init(_ orientation: ImageOrientation) {
    self =
      switch orientation {
      case .up: .up
      case .down: .down
      case .left: .left
      case .right: .right
      case .upMirrored: .upMirrored
      case .downMirrored: .downMirrored
      case .leftMirrored: .leftMirrored
      case .rightMirrored: .rightMirrored
      }
  }
}

extension Image {
  /// The picture's orientation by the name that UIKit has for it.
  public var imageOrientation: ImageOrientation { ImageOrientation(orientation) }
}
