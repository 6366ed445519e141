package import Foundation
import OcellusImaging
package import OcellusVision
import Synchronization

/// The implementation of both modules' object detectors: detection, tracking and naming.
package final class ObjectRecognition: Sendable {
  /// The source of the names of objects.
  package enum Naming: Hashable, Sendable {
    /// Objects have no names.
    case none
    /// The classes of the base model, which are coarse categories.
    case coarse
    /// A classifier that runs on every object; a `nil` threshold selects that of its metadata.
    case classifier(ModelSource, threshold: Float?, maximumLabels: Int)
  }

  /// The options of the recognition.
  package struct Options: Sendable {
    package var mode: ObjectRecognizer.Mode
    package var findsMultipleObjects: Bool
    package var naming: Naming
    /// The base model; `nil` for the default one.
    package var detector: ModelSource?
    /// How often the detection model runs in a stream.
    package var cadence: ObjectRecognizer.Cadence
    /// The number of threads; `nil` selects the machine's default.
    package var threads: Int?

    package init(
      mode: ObjectRecognizer.Mode, findsMultipleObjects: Bool, naming: Naming,
      detector: ModelSource?, cadence: ObjectRecognizer.Cadence, threads: Int?
    ) {
      self.mode = mode
      self.findsMultipleObjects = findsMultipleObjects
      self.naming = naming
      self.detector = detector
      self.cadence = cadence
      self.threads = threads?.asResultCount
    }
  }

  /// A recognized object, with its bounding box in pixels of the stored picture.
  package struct Finding: Sendable {
    package var frame: CGRect
    /// The categories, the most likely first.
    package var categories: [OcellusVision.Category]
    package var trackingID: Int?
  }

  /// The maximum number of objects, from the guides.
  private static let maximumObjects = 5
  /// The threshold for custom detection models, for which the guides specify none.
  private static let lowestScore: Float = 0.1

  private let naming: Naming
  private let recognizer: LazyLoaded<ObjectRecognizer>
  private let clock = Mutex(StreamClock())

  package init(_ options: Options) {
    naming = options.naming
    recognizer = LazyLoaded { () throws(ProcessingError) in try Self.recognizer(options) }
  }

  /// Returns the objects in a picture.
  package func findings(in picture: SuppliedPicture) throws(ProcessingError) -> [Finding] {
    let recognizer = try recognizer.value()
    let time = clock.withLock { $0.time(of: picture) }
    do throws(VisionError) {
      let detections = try recognizer.process(picture.image, at: time)
      return detections.compactMap { finding($0, in: picture.image) }
    } catch {
      throw .failedToProcess(error.description)
    }
  }

  /// Clips an object to the picture; returns `nil` if it lies outside.
  private func finding(_ detection: Detection, in image: Image) -> Finding? {
    let visible = detection.box.clipped(to: image.size)
    guard visible.width > 0, visible.height > 0 else { return nil }
    let box = image.orientation.stored(visible, stored: image.storedSize)
    return Finding(
      frame: CGRect(x: box.left, y: box.top, width: box.width, height: box.height),
      categories: categories(of: detection), trackingID: detection.trackingID)
  }

  private func categories(of detection: Detection) -> [OcellusVision.Category] {
    switch naming {
    case .none: []
    case .coarse: detection.categories.filter { $0.label != CoarseCategory.unknownLabel }
    case .classifier: detection.categories
    }
  }

  // MARK: Models

  private static func recognizer(_ options: Options) throws(ProcessingError) -> ObjectRecognizer {
    var settings = ObjectRecognizer.Options(mode: options.mode, cadence: options.cadence)
    var classifierOptions = ImageLabeler.Options(threads: options.threads)
    let detectorPath = try options.detector?.localPath()
    var classifierPath: String?
    if case .classifier(let source, let threshold, let maximumLabels) = options.naming {
      classifierPath = try source.localPath()
      classifierOptions.scoreThreshold = threshold
      classifierOptions.maximumResults = maximumLabels
      settings.maximumLabelsPerObject = maximumLabels
    }
    do throws(VisionError) {
      return ObjectRecognizer(
        try detector(at: detectorPath, options),
        classifier: try classifierPath.map { path throws(VisionError) in
          try ImageLabeler(path: path, options: classifierOptions)
        },
        options: settings)
    } catch {
      throw .failedToInitializeDetector(error.description)
    }
  }

  private static func detector(
    at givenPath: String?, _ options: Options
  ) throws(VisionError) -> ObjectDetector {
    let settings = ObjectDetector.Options(
      scoreThreshold: givenPath == nil ? nil : lowestScore, maximumResults: maximumObjects,
      findsMultipleObjects: options.findsMultipleObjects, threads: options.threads)
    return if let givenPath {
      try ObjectDetector(path: givenPath, options: settings)
    } else {
      try ObjectDetector(options: settings)
    }
  }
}
