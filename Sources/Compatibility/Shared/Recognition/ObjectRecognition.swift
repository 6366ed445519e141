package import Foundation
import OcellusImaging
package import OcellusVision
import Synchronization

/// What the object detectors of both modules do: objects found by a base model, followed in streams,
/// and named.
package final class ObjectRecognition: Sendable {
  /// Where names come from.
  package enum Naming: Hashable, Sendable {
    /// Objects have none.
    case none
    /// The base model's classes, which are coarse categories.
    case coarse
    /// A classifier that looks at every object; `nil`: the threshold of its metadata.
    case classifier(ModelSource, threshold: Float?, maximumLabels: Int)
  }

  /// What to look for, and with what.
  package struct Options: Sendable {
    package var mode: ObjectRecognizer.Mode
    package var findsMultipleObjects: Bool
    package var naming: Naming
    /// The base model; `nil`: the one that the package brings along.
    package var detector: ModelSource?
    /// How often the pictures of a stream are searched.
    package var cadence: ObjectRecognizer.Cadence
    /// The threads that share the work; `nil`: the usual for the machine.
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

  /// An object, its place in pixels of the picture as it is stored.
  package struct Finding: Sendable {
    package var frame: CGRect
    /// The most likely first.
    package var categories: [OcellusVision.Category]
    package var trackingID: Int?
  }

  /// The guides: up to five objects.
  private static let maximumObjects = 5
  /// The guides know no threshold for objects that other models find; below this there are none.
  private static let lowestScore: Float = 0.1

  private let naming: Naming
  private let recognizer: LoadedOnce<ObjectRecognizer>
  private let clock = Mutex(StreamClock())

  package init(_ options: Options) {
    naming = options.naming
    recognizer = LoadedOnce { () throws(ProcessingError) in try Self.recognizer(options) }
  }

  /// The objects in a picture, as many as were asked for.
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

  /// The part of an object that is in the picture; `nil` when there is none.
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
    case .coarse: detection.categories.filter { $0.label != CoarseCategory.labelOfAllOthers }
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

/// Times for the pictures of a stream: their own, or for those without one the time that passed.
struct StreamClock: Sendable {
  private var latest: (time: Duration, instant: ContinuousClock.Instant)?

  mutating func time(of picture: SuppliedPicture) -> Duration {
    let now = ContinuousClock.now
    let expected = latest.map { $0.time + $0.instant.duration(to: now) } ?? .zero
    let time = picture.time ?? expected
    // A late picture is an error later on; the clock does not follow it back.
    if time >= latest?.time ?? time { latest = (time, now) }
    return time
  }
}
