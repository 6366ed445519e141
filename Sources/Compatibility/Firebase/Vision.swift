public import Foundation
public import OcellusCompatibility
import Synchronization

/// A factory for detectors and labelers.
///
/// It can be used on any thread.
public final class Vision: NSObject, Sendable {
  private static let shared = Vision()

  private let collectsStatistics = Mutex(true)

  private override init() {}

  /// Returns the shared factory; no app needs to be configured.
  public static func vision() -> Vision { shared }

  /// Returns the shared factory: all apps have the same models.
  public static func vision(app: FirebaseApp) -> Vision { shared }

  /// A setting without effect: no statistics are collected here.
  public var isStatsCollectionEnabled: Bool {
    get { collectsStatistics.withLock { $0 } }
    set { collectsStatistics.withLock { $0 = newValue } }
  }

  // MARK: Objects

  /// Creates a detector with the default options: it tracks the most prominent object of a stream.
  public func objectDetector() -> VisionObjectDetector {
    objectDetector(options: VisionObjectDetectorOptions())
  }

  /// Creates a detector with the default base model.
  public func objectDetector(options: VisionObjectDetectorOptions) -> VisionObjectDetector {
    objectDetector(options: options, detectorModel: nil)
  }

  /// Creates a detector with a custom base model, an addition to the original API.
  ///
  /// Any detection model that `OcellusVision.ObjectDetector` supports is accepted; `nil` selects
  /// the default base model.
  public func objectDetector(
    options: VisionObjectDetectorOptions, detectorModel: LocalModel?
  ) -> VisionObjectDetector {
    VisionObjectDetector(options.recognition(with: detectorModel))
  }

  // MARK: Labels

  /// Creates a labeler with the default options and the default base model.
  public func onDeviceImageLabeler() -> VisionImageLabeler {
    onDeviceImageLabeler(options: VisionOnDeviceImageLabelerOptions())
  }

  /// Creates a labeler with the default base model.
  public func onDeviceImageLabeler(
    options: VisionOnDeviceImageLabelerOptions
  ) -> VisionImageLabeler {
    onDeviceImageLabeler(options: options, baseModel: nil)
  }

  /// Creates a labeler with a custom base model, an addition to the original API.
  ///
  /// `nil` selects the default base model.
  public func onDeviceImageLabeler(
    options: VisionOnDeviceImageLabelerOptions, baseModel: LocalModel?
  ) -> VisionImageLabeler {
    VisionImageLabeler(options.labeling(with: baseModel))
  }

  /// Creates a labeler with a model exported by AutoML Vision Edge.
  public func onDeviceAutoMLImageLabeler(
    options: VisionOnDeviceAutoMLImageLabelerOptions
  ) -> VisionImageLabeler {
    VisionImageLabeler(options.labeling)
  }
}
