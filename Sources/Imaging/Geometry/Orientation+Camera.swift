/// The orientation of a device, with the names of `UIDeviceOrientation`.
public enum DeviceOrientation: String, CaseIterable, Hashable, Sendable {
  /// Upright.
  case portrait
  /// Upside down.
  case portraitUpsideDown
  /// On its left side: the top edge points to the left.
  case landscapeLeft
  /// On its right side: the top edge points to the right.
  case landscapeRight
  /// Lying flat, with the screen up.
  case faceUp
  /// Lying flat, with the screen down.
  case faceDown
  /// Not known.
  case unknown
}

/// The camera of a device that took a picture.
public enum CameraPosition: String, CaseIterable, Hashable, Sendable {
  /// The camera that faces the user; it delivers mirrored pictures.
  case front
  /// The camera that faces away from the user.
  case back
}

extension Orientation {
  /// Creates the orientation of a camera's pictures, by the table in the iOS guides.
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
