public import Foundation
public import OcellusCompatibility
import Synchronization

/// Makes detectors and labelers.
///
/// It can be used from any thread.
public final class Vision: NSObject, Sendable {
  private static let shared = Vision()

  private let collectsStatistics = Mutex(true)

  private override init() {}

  /// The one object that makes them; no app has to be configured.
  public static func vision() -> Vision { shared }

  /// The same: all apps have the same models.
  public static func vision(app: FirebaseApp) -> Vision { shared }

  /// Whether the original may collect statistics; nothing is collected here.
  public var isStatsCollectionEnabled: Bool {
    get { collectsStatistics.withLock { $0 } }
    set { collectsStatistics.withLock { $0 = newValue } }
  }

  // MARK: Objects

  /// A detector with the default options: it follows the most prominent object of a stream.
  public func objectDetector() -> VisionObjectDetector {
    objectDetector(options: VisionObjectDetectorOptions())
  }

  /// A detector with the base model that the package brings along.
  public func objectDetector(options: VisionObjectDetectorOptions) -> VisionObjectDetector {
    objectDetector(options: options, detectorModel: nil)
  }

  /// A detector with a base model of one's own, which the original does not offer: any detection model
  /// that `OcellusVision.ObjectDetector` understands; `nil`: that which the package brings along.
  public func objectDetector(
    options: VisionObjectDetectorOptions, detectorModel: LocalModel?
  ) -> VisionObjectDetector {
    VisionObjectDetector(options.recognition(with: detectorModel))
  }

  // MARK: Labels

  /// A labeler with the default options and the base model that the package brings along.
  public func onDeviceImageLabeler() -> VisionImageLabeler {
    onDeviceImageLabeler(options: VisionOnDeviceImageLabelerOptions())
  }

  /// A labeler with the base model that the package brings along.
  public func onDeviceImageLabeler(
    options: VisionOnDeviceImageLabelerOptions
  ) -> VisionImageLabeler {
    onDeviceImageLabeler(options: options, baseModel: nil)
  }

  /// A labeler with a base model of one's own, which the original does not offer; `nil`: that which
  /// the package brings along.
  public func onDeviceImageLabeler(
    options: VisionOnDeviceImageLabelerOptions, baseModel: LocalModel?
  ) -> VisionImageLabeler {
    VisionImageLabeler(options.labeling(with: baseModel))
  }

  /// A labeler with a model that AutoML Vision Edge exported.
  public func onDeviceAutoMLImageLabeler(
    options: VisionOnDeviceAutoMLImageLabelerOptions
  ) -> VisionImageLabeler {
    VisionImageLabeler(options.labeling)
  }
}
