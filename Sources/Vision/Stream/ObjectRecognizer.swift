public import OcellusImaging
import OcellusPlatform

/// Finds objects, follows them from picture to picture, and names them with a classifier.
///
/// For single pictures it returns complete results without identities. In a stream it has low
/// latency: objects get identities, and a classifier looks at a few new ones in each picture, so that
/// an object may be reported before its class is known; labels are kept with the identity. If the detector
/// is to find only the most prominent object, that one is followed until it is gone.
/// It can be used from several threads: calls wait for each other.
public final class ObjectRecognizer: Sendable {
  /// Whether pictures belong together.
  public enum Mode: String, CaseIterable, Hashable, Sendable {
    /// Every picture is for itself.
    case singleImage
    /// Pictures follow each other in time.
    case stream
  }

  /// How often the pictures of a stream are searched; between, objects are where the tracker expects them.
  public enum Cadence: Hashable, Sendable {
    /// Every picture is.
    case everyFrame
    /// The first picture is, and every n-th after it.
    case every(Int)
    /// As many are as time allows: the search goes on behind the caller's back, and what is known when
    /// `latency` has passed is the answer.
    ///
    /// A picture that borrows its memory must keep its owner alive: it is used after the call returns.
    case adaptive(latency: Duration)
  }

  /// How objects are followed and named.
  public struct Options: Sendable {
    /// Whether pictures belong together.
    public var mode: Mode
    /// How often the pictures of a stream are searched.
    public var cadence: Cadence
    /// How objects are followed; `nil`: the default, with new objects from the detector's threshold on.
    public var tracker: TrackerOptions?
    /// The score below which the classifier's labels are dropped; `nil`: as the classifier has it.
    public var classificationThreshold: Float?
    /// The largest number of labels for an object.
    public var maximumLabelsPerObject: Int
    /// The number of objects that the classifier looks at in one picture of a stream.
    public var classificationsPerFrame: Int

    /// Options for pictures that follow each other, unless another mode is given.
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

  /// What finds objects.
  public let detector: ObjectDetector
  /// What names them; `nil`: the detector's own classes are their names.
  public let classifier: ImageLabeler?
  /// How objects are followed and named.
  public let options: Options

  private let lock = CallerLock()
  private let stream: Monitor<Stream>

  /// What changes from picture to picture.
  struct Stream {
    var scene: StreamScene
    /// When the last picture of the stream was taken.
    var time: Duration?
    /// How many pictures come before the next one that is searched.
    var unsearched = 0
    var search = BackgroundSearch()
  }

  /// A recognizer of what `detector` finds, named by `classifier` if there is one.
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

  /// Another recognizer of the same kind that has seen nothing yet, for another thread: the two share
  /// the models' files and packed weights.
  public func duplicate() throws(VisionError) -> ObjectRecognizer {
    ObjectRecognizer(
      try detector.duplicate(), classifier: try classifier?.duplicate(), options: options)
  }

  /// The objects in a picture.
  ///
  /// `time` is when it was taken, from any origin; only streams look at it. `region` is the part to
  /// look at, in pixels of the upright picture; `nil` is all of it.
  /// - Throws: what is wrong with the picture or its time; the next good picture works. What was wrong with a
  ///   picture that was searched behind the caller's back is the error of the one after it.
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

  /// The objects of a stream's last picture as the tracker sees them, with their speeds and ages.
  public var tracks: [Track] { stream.change { $0.scene.tracker.tracks } }

  /// Forgets all objects; identities start from 1 again, and any time may follow.
  public func reset() {
    lock.withLock {
      // What is still being searched belongs to the stream before.
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

  /// Searches every n-th picture, and has the classifier look at something in each.
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
    try nameSome(of: detections, in: frame)
    return stream.change { $0.scene.named(detections) }
  }

  /// Searches the picture unless the last search is still going on, and waits for it as long as it may.
  private func follow(
    _ frame: Frame, within latency: Duration
  ) throws(VisionError) -> [Detection] {
    let start = ContinuousClock.now
    try stream.advance(to: frame.time)
    let patience = stream.change { $0.search.patience(within: latency) }
    // The last picture's names may still be looked for.
    let begins = stream.wait(upTo: patience) { stream in
      stream.search.begin() ? true : stream.search.isSearching ? false : nil
    }
    if begins == true {
      // The recognizer stays until its thread is done.
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

  /// Finds the objects of a picture, tells those who wait, and then names some of them.
  private func searchInBackground(_ frame: Frame) {
    let start = ContinuousClock.now
    do throws(VisionError) {
      let found = try search(frame)
      try stream.observe(found, at: frame.time)
      let detections = stream.change { stream in
        stream.search.endSearch(after: start.duration(to: .now))
        return stream.scene.detections(at: frame.time, in: frame.image.size)
      }
      try nameSome(of: detections, in: frame)
      stream.change { $0.search.end() }
    } catch {
      stream.change { $0.search.end(with: error) }
    }
  }

  /// All objects of a picture: which one is followed is the scene's affair.
  private func search(_ frame: Frame) throws(VisionError) -> [Detection] {
    try detector.detect(in: frame.image, region: frame.region, findingAll: true)
  }

  /// Lets the classifier look at the objects that need it most, as many as the options allow.
  private func nameSome(of detections: [Detection], in frame: Frame) throws(VisionError) {
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

  /// What the classifier says about the part of the picture that an object covers.
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
  /// Notes the time of a picture, which must not be before that of the last one.
  fileprivate func advance(to time: Duration) throws(VisionError) {
    let last = change { stream in
      let last = stream.time
      stream.time = max(time, last ?? time)
      return last
    }
    if let last, time < last { throw .tracking(.timeWentBackwards(from: last, to: time)) }
  }

  /// Takes in what was found in a picture.
  fileprivate func observe(_ found: [Detection], at time: Duration) throws(VisionError) {
    try change { stream in
      Result { () throws(VisionError) in try stream.scene.observe(found, at: time) }
    }.get()
  }
}

extension TrackerOptions {
  /// The default, for what a detector reports: whatever it reports may be a new object.
  fileprivate static func following(_ detector: ObjectDetector) -> TrackerOptions {
    var options = TrackerOptions.default
    let threshold = max(detector.scoreThreshold, options.lowScore)
    options.highScore = min(options.highScore, threshold)
    options.newTrackScore = min(options.newTrackScore, threshold)
    return options
  }
}
