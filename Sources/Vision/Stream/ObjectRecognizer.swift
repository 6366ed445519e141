public import OcellusImaging
import OcellusPlatform

/// Detects objects, tracks them from picture to picture, and names them with a classifier.
///
/// For single pictures it returns complete results without identities. In a stream it has low
/// latency: objects get identities, and the classifier is run on a few new objects in each picture,
/// so an object may be reported before its class is known. Labels are kept with the identity. If
/// the detector reports only the most prominent object, that object is tracked until it is gone. A
/// recognizer can be used from several threads: its calls are serialized.
public final class ObjectRecognizer: Sendable {
  /// The relation between successive pictures.
  public enum Mode: String, CaseIterable, Hashable, Sendable {
    /// Every picture stands alone.
    case singleImage
    /// Pictures are frames of one stream.
    case stream
  }

  /// How often pictures are searched; between searches, the tracker predicts the objects.
  public enum Cadence: Hashable, Sendable {
    /// Every picture is searched.
    case everyFrame
    /// The first picture is searched, and every n-th after it.
    case every(Int)
    /// As many pictures are searched as time allows, on a background thread.
    ///
    /// A call returns what is known when `latency` has passed. A picture that borrows its memory
    /// must keep the owner alive: it is used after the call returns.
    case adaptive(latency: Duration)
  }

  /// The settings of tracking and naming.
  public struct Options: Sendable {
    /// The relation between successive pictures.
    public var mode: Mode
    /// How often the pictures of a stream are searched.
    public var cadence: Cadence
    /// The tracker's options; `nil`: the defaults, with the detector's threshold for new tracks.
    public var tracker: TrackerOptions?
    /// The score below which the classifier's labels are dropped; `nil`: its own threshold.
    public var classificationThreshold: Float?
    /// The maximum number of labels of an object.
    public var maximumLabelsPerObject: Int
    /// The number of objects that are classified in one picture of a stream.
    public var classificationsPerFrame: Int

    /// Creates options; the default mode is a stream.
    public init(
      mode: Mode = .stream, cadence: Cadence = .everyFrame, tracker: TrackerOptions? = nil,
      classificationThreshold: Float? = nil, maximumLabelsPerObject: Int = 10,
      classificationsPerFrame: Int = 1
    ) {
      self.mode = mode
      self.cadence = cadence
      self.tracker = tracker
      self.classificationThreshold = classificationThreshold
      self.maximumLabelsPerObject = maximumLabelsPerObject
      self.classificationsPerFrame = classificationsPerFrame
    }
  }

  /// The detector of objects.
  public let detector: ObjectDetector
  /// The classifier that names objects; `nil`: the detector's classes are the names.
  public let classifier: ImageLabeler?
  /// The settings of tracking and naming.
  public let options: Options

  private let lock = CallerLock()
  private let stream: Monitor<Stream>

  /// The state that changes from picture to picture.
  struct Stream {
    var scene: StreamScene
    /// The time of the stream's last picture.
    var time: Duration?
    /// The number of pictures before the next search.
    var unsearched = 0
    var search = BackgroundSearch()
  }

  /// Creates a recognizer of the objects that `detector` finds, named by `classifier`.
  public init(
    _ detector: ObjectDetector, classifier: ImageLabeler? = nil, options: Options = Options()
  ) {
    self.detector = detector
    self.classifier = classifier
    self.options = options
    stream = Monitor(Self.newStream(detector, classifier, options))
  }

  private static func newStream(
    _ detector: ObjectDetector, _ classifier: ImageLabeler?, _ options: Options
  ) -> Stream {
    Stream(
      scene: StreamScene(
        options.tracker ?? .following(detector),
        followsOne: !detector.options.findsMultipleObjects, hasNames: classifier != nil))
  }

  /// Creates another recognizer with the same options and no history, for use on another thread.
  ///
  /// The two share the models' files and packed weights.
  public func duplicate() throws(VisionError) -> ObjectRecognizer {
    ObjectRecognizer(
      try detector.duplicate(), classifier: try classifier?.duplicate(), options: options)
  }

  /// Returns the objects in a picture.
  ///
  /// `time` is the time of the picture since any origin; only streams use it. `region` limits the
  /// search, in pixels of the upright picture; `nil` searches the whole picture.
  /// - Throws: `VisionError` when the picture or its time is invalid; later pictures are not
  ///   affected. The error of a background search is thrown by the call after it.
  public func process(
    _ image: Image, at time: Duration = .zero, region: BoundingBox? = nil
  ) throws(VisionError) -> [Detection] {
    try lock.withLock { () throws(VisionError) in
      guard options.mode == .stream else {
        return try detector.detect(in: image, region: region).map {
          detection throws(VisionError) in try named(detection, in: image)
        }
      }
      let frame = Frame(image: image, time: time, region: region)
      switch options.cadence {
      case .everyFrame: return try follow(frame, searchingEvery: 1)
      case .every(let count): return try follow(frame, searchingEvery: max(count, 1))
      case .adaptive(let latency): return try follow(frame, within: latency)
      }
    }
  }

  /// The objects in the stream's last picture as the tracker sees them, with velocities and ages.
  public var tracks: [Track] { stream.change { $0.scene.tracker.tracks } }

  /// Forgets all objects; identities start from 1 again, and the next picture may have any time.
  public func reset() {
    lock.withLock {
      // A search that still runs belongs to the old stream.
      stream.wait { $0.search.isBusy ? nil : () }
      stream.change { $0 = Self.newStream(detector, classifier, options) }
    }
  }

  // MARK: Streams

  /// A picture of a stream.
  struct Frame: Sendable {
    var image: Image
    var time: Duration
    var region: BoundingBox?
  }

  /// Searches every n-th picture, and classifies some objects in each.
  private func follow(
    _ frame: Frame, searchingEvery count: Int
  ) throws(VisionError) -> [Detection] {
    try stream.advance(to: frame.time)
    if stream.change({ $0.unsearched == 0 }) {
      let found = try search(frame)
      try stream.observe(found, at: frame.time)
      stream.change { $0.unsearched = count }
    }
    let detections = stream.change { stream in
      stream.unsearched -= 1
      return stream.scene.detections(at: frame.time, in: frame.image.size)
    }
    try classifyMostUrgent(of: detections, in: frame)
    return stream.change { $0.scene.named(detections) }
  }

  /// Searches the picture unless a search still runs, and waits for the result within the latency.
  private func follow(
    _ frame: Frame, within latency: Duration
  ) throws(VisionError) -> [Detection] {
    let start = ContinuousClock.now
    try stream.advance(to: frame.time)
    let patience = stream.change { $0.search.patience(within: latency) }
    // The classifier may still run for the last picture.
    let begins = stream.wait(upTo: patience) { stream in
      stream.search.begin() ? true : stream.search.isSearching ? false : nil
    }
    if begins == true {
      // The thread's closure keeps the recognizer alive.
      SystemThread.run { self.searchInBackground(frame) }
    }
    _ = stream.wait(upTo: patience - start.duration(to: .now)) { stream in
      stream.scene.time == frame.time || !stream.search.isSearching ? () : nil
    }
    if let error = stream.change({ $0.search.takeFailure() }) { throw error }
    return stream.change { stream in
      stream.scene.named(stream.scene.detections(at: frame.time, in: frame.image.size))
    }
  }

  /// Finds the objects of a picture, wakes the waiting call, and then classifies some of them.
  private func searchInBackground(_ frame: Frame) {
    let start = ContinuousClock.now
    do throws(VisionError) {
      let found = try search(frame)
      try stream.observe(found, at: frame.time)
      let detections = stream.change { stream in
        stream.search.endSearch(after: start.duration(to: .now))
        return stream.scene.detections(at: frame.time, in: frame.image.size)
      }
      try classifyMostUrgent(of: detections, in: frame)
      stream.change { $0.search.end() }
    } catch {
      stream.change { $0.search.end(with: error) }
    }
  }

  /// Returns all objects of a picture; the scene chooses the one to report.
  private func search(_ frame: Frame) throws(VisionError) -> [Detection] {
    try detector.detect(in: frame.image, region: frame.region, findingAll: true)
  }

  /// Classifies the objects that need it most, as many as the options allow.
  private func classifyMostUrgent(of detections: [Detection], in frame: Frame) throws(VisionError) {
    guard classifier != nil else { return }
    let size = frame.image.size
    let urgent = stream.change {
      $0.scene.mostUrgent(
        of: detections, in: size, at: frame.time, limit: options.classificationsPerFrame)
    }
    for index in urgent {
      let categories = try categories(of: detections[index], in: frame.image)
      stream.change {
        $0.scene.remember(categories, at: index, of: detections, in: size, at: frame.time)
      }
    }
  }

  // MARK: Names

  private func named(
    _ detection: Detection, in image: Image
  ) throws(VisionError) -> Detection {
    guard classifier != nil else { return detection }
    var detection = detection
    detection.categories = try categories(of: detection, in: image)
    return detection
  }

  /// Classifies the part of the picture that an object covers.
  private func categories(
    of detection: Detection, in image: Image
  ) throws(VisionError) -> [Category] {
    let crop = detection.box.clipped(to: image.size)
    guard let classifier, crop.width >= 1, crop.height >= 1 else { return [] }
    let threshold = options.classificationThreshold ?? -.infinity
    let categories = try classifier.labels(in: image, region: crop)
    return Array(
      categories.prefix { $0.score >= threshold }.prefix(max(options.maximumLabelsPerObject, 0)))
  }
}

extension Monitor<ObjectRecognizer.Stream> {
  /// Notes the time of a picture, which must not precede the last one's.
  fileprivate func advance(to time: Duration) throws(VisionError) {
    let last = change { stream in
      let last = stream.time
      stream.time = max(time, last ?? time)
      return last
    }
    if let last, time < last { throw .tracking(.timeWentBackwards(from: last, to: time)) }
  }

  /// Updates the scene with the objects found in a picture.
  fileprivate func observe(_ found: [Detection], at time: Duration) throws(VisionError) {
    try change { stream in
      Result { () throws(VisionError) in try stream.scene.observe(found, at: time) }
    }.get()
  }
}

extension TrackerOptions {
  /// Returns the default options, adapted so that every detection may start a track.
  fileprivate static func following(_ detector: ObjectDetector) -> TrackerOptions {
    TrackerOptions.default.startingTracks(at: detector.scoreThreshold)
  }
}
