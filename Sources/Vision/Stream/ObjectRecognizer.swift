public import OcellusImaging

/// Finds objects, follows them from picture to picture, and names them with a classifier.
///
/// For single pictures it returns complete results without identities. In a stream it has low
/// latency: objects get identities, and a classifier looks at a few new ones in each picture, so that
/// an object may be reported before its class is known; labels are kept with the identity.
/// It can be used from several threads: calls wait for each other.
///
/// Unchecked: what changes is used under the lock, by one caller at a time.
public final class ObjectRecognizer: @unchecked Sendable {
  /// Whether pictures belong together.
  public enum Mode: String, CaseIterable, Hashable, Sendable {
    /// Every picture is for itself.
    case singleImage
    /// Pictures follow each other in time.
    case stream
  }

  /// How objects are followed and named.
  public struct Options: Sendable {
    /// Whether pictures belong together.
    public var mode: Mode
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
      mode: Mode = .stream, tracker: TrackerOptions? = nil, classificationThreshold: Float? = nil,
      maximumLabelsPerObject: Int = 10, classificationsPerFrame: Int = 1
    ) {
      self.mode = mode
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
  private var tracker: Tracker
  private var names = NameMemory()

  /// A recognizer of what `detector` finds, named by `classifier` if there is one.
  public init(
    _ detector: ObjectDetector, classifier: ImageLabeler? = nil, options: Options = Options()
  ) {
    self.detector = detector
    self.classifier = classifier
    self.options = options
    tracker = Tracker(options.tracker ?? .following(detector))
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
  /// - Throws: what is wrong with the picture or its time; the next good picture works.
  public func process(
    _ image: Image, at time: Duration = .zero, region: BoundingBox? = nil
  ) throws(VisionError) -> [Detection] {
    try lock.withLock { () throws(VisionError) in
      let found = try detector.detect(in: image, region: region)
      return options.mode == .stream
        ? try follow(found, in: image, at: time)
        : try found.map { detection throws(VisionError) in try named(detection, in: image) }
    }
  }

  /// The objects of a stream's last picture as the tracker sees them, with their speeds and ages.
  public var tracks: [Track] { lock.withLock { tracker.tracks } }

  /// Forgets all objects; identities start from 1 again, and any time may follow.
  public func reset() {
    lock.withLock {
      tracker.reset()
      names = NameMemory()
    }
  }

  // MARK: Streams

  private func follow(
    _ found: [Detection], in image: Image, at time: Duration
  ) throws(VisionError) -> [Detection] {
    let tracks: [Track]
    do throws(TrackingError) { tracks = try tracker.update(found, at: time) } catch {
      throw .tracking(error)
    }
    var detections = tracks.map { track in
      var detection = found[track.detectionIndex]
      detection.box = track.box
      detection.trackingID = track.id
      return detection
    }
    guard classifier != nil else { return detections }
    try nameSome(of: detections, in: image, at: time)
    for index in detections.indices {
      detections[index].categories = detections[index].trackingID.flatMap { names[$0] } ?? []
    }
    return detections
  }

  /// Lets the classifier look at the objects that need it most, as many as the options allow.
  private func nameSome(
    of detections: [Detection], in image: Image, at time: Duration
  ) throws(VisionError) {
    for detection in names.mostUrgent(of: detections, limit: options.classificationsPerFrame) {
      guard let id = detection.trackingID else { continue }
      names.remember(try categories(of: detection, in: image), of: detection, as: id)
    }
    // A track that is lost may come back; long after the last sight it does not.
    names.forget(unseenSince: time - tracker.options.lifetime * 2, seen: detections, at: time)
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
