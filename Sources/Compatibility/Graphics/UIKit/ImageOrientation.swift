public import OcellusImaging

/// The orientation of stored pixels, with the names and raw values of `UIImage.Orientation`.
public enum ImageOrientation: Int, CaseIterable, Hashable, Sendable {
  /// The stored picture is upright.
  case up = 0
  /// The stored picture is upside down.
  case down = 1
  /// The stored picture has to be rotated a quarter turn counterclockwise.
  case left = 2
  /// The stored picture has to be rotated a quarter turn clockwise.
  case right = 3
  /// The stored picture is the mirror image of the upright one.
  case upMirrored = 4
  /// The stored picture is upside down and mirrored.
  case downMirrored = 5
  /// The stored picture is transposed.
  case leftMirrored = 6
  /// The stored picture is transposed, and its rows and columns are in reverse order.
  case rightMirrored = 7

  /// Converts an `Orientation`.
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

  /// Creates the orientation of a camera's pictures, by the table in the iOS guides.
  public init(deviceOrientation: DeviceOrientation, cameraPosition: CameraPosition) {
    self.init(Orientation(device: deviceOrientation, camera: cameraPosition))
  }
}

extension Orientation {
  /// Converts an `ImageOrientation`.
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
  /// The orientation of the picture as UIKit's type.
  public var imageOrientation: ImageOrientation { ImageOrientation(orientation) }
}
