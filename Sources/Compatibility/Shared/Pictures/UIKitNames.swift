public import OcellusImaging
import Synchronization

/// A picture, by the name that UIKit has for it.
public typealias UIImage = Image
/// The pixels of a picture, by the name that Core Video has for them.
public typealias CVPixelBuffer = Image
/// A picture of a video, by the name that Core Media has for it.
public typealias CMSampleBuffer = SampleBuffer
/// How a device is held, by the name that UIKit has for it.
public typealias UIDeviceOrientation = DeviceOrientation

extension Image {
  /// How stored pixels have to be turned, by the name that UIKit has for it: `UIImage.Orientation`.
  public typealias Orientation = ImageOrientation
}

/// The camera, of which there is no more here than which way it looks.
public enum AVCaptureDevice {
  /// Which way a camera looks.
  public typealias Position = CameraPosition
}

/// The device that the program runs on.
public final class UIDevice: Sendable {
  /// The one device.
  public static let current = UIDevice()

  private let heldAs = Mutex(UIDeviceOrientation.unknown)

  private init() {}

  /// How the device is held: whoever has a sensor sets it, `.unknown` until then.
  public var orientation: UIDeviceOrientation {
    get { heldAs.withLock { $0 } }
    set { heldAs.withLock { $0 = newValue } }
  }
}
