public import OcellusImaging
import Synchronization

/// UIKit's name for the orientation of a device.
public typealias UIDeviceOrientation = DeviceOrientation

/// A namespace for the position of cameras; it provides no access to a camera.
public enum AVCaptureDevice {
  /// The position of a camera.
  public typealias Position = CameraPosition
}

/// The device on which the app runs.
public final class UIDevice: Sendable {
  /// The shared device.
  public static let current = UIDevice()

  private let heldAs = Mutex(UIDeviceOrientation.unknown)

  private init() {}

  /// The orientation of the device; `.unknown` until the app sets it from a sensor.
  public var orientation: UIDeviceOrientation {
    get { heldAs.withLock { $0 } }
    set { heldAs.withLock { $0 = newValue } }
  }
}
