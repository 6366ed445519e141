/// How a device is held, by the names of the iOS guides.
public enum DeviceOrientation: String, CaseIterable, Hashable, Sendable {
  /// Upright.
  case portrait
  /// Upside down.
  case portraitUpsideDown
  /// On its left side: the top of the device points to the left.
  case landscapeLeft
  /// On its right side.
  case landscapeRight
  /// Lying with the screen up.
  case faceUp
  /// Lying with the screen down.
  case faceDown
  /// Not known.
  case unknown
}

/// Which camera of a device took the picture.
public enum CameraPosition: String, CaseIterable, Hashable, Sendable {
  /// The one that looks at the user, and delivers mirrored pictures.
  case front
  /// The one that looks away from the user.
  case back
}

extension Orientation {
  /// The orientation of what the camera delivers, by the table of the iOS guides.
  public init(device: DeviceOrientation, camera: CameraPosition) {
    let isFront = camera == .front
    self =
      switch device {
      case .portrait: isFront ? .leftMirrored : .right
      case .landscapeLeft: isFront ? .downMirrored : .up
      case .portraitUpsideDown: isFront ? .rightMirrored : .left
      case .landscapeRight: isFront ? .upMirrored : .down
      case .faceUp, .faceDown, .unknown: .up
      }
  }
}
