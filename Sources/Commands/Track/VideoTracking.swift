import OcellusImaging
import OcellusJSON
import OcellusPlatform
import OcellusVision

/// Finds and follows the objects of a video.
struct VideoTracking {
  let path: String
  let pictures: PictureOptions
  /// The frames a second, in place of what the video says.
  let framesPerSecond: Double?
  let classifierPath: String?
  let threshold: Float?
  let annotationPath: String?
  /// Whether every frame is printed as a line of JSON.
  let printsFrames: Bool

  /// What came out besides the tracks.
  struct Summary {
    var framesPerSecond: Double
    var detectionCount = 0
    var failedFrames = 0
  }

  /// Goes through the video; `tracker` gives the options for a number of frames a second.
  func follow(
    tracker: (Double) -> TrackerOptions?, session: inout TrackSession, in context: CommandContext
  ) throws -> Summary {
    let reader = try reader()
    let rate = Double(reader.frameRate.frames) / Double(reader.frameRate.seconds)
    let recognizer = try recognizer(tracker(rate))
    for warning in recognizer.detector.explanation.warnings {
      context.complain("warning: \(warning)")
    }
    var annotation = annotationPath.map {
      VideoAnnotation(
        path: $0, frameRate: reader.frameRate, lines: session.lines, zones: session.zones)
    }
    var summary = Summary(framesPerSecond: rate)
    let progress = ProgressLine(in: context)
    defer { progress.clear() }
    let start = MonotonicTime.now
    var index = 0
    while true {
      do {
        guard let frame = try reader.next() else { break }
        let found = try process(frame, recognizer, &session)
        summary.detectionCount += found.count
        if printsFrames { context.print(frame.json(with: found)) }
        try annotation?.add(found, to: frame.image)
      } catch let error as FileError {
        throw error
      } catch {
        // A broken frame is one frame less; a video that cannot be written is the end.
        if annotation?.isBroken == true { throw error }
        progress.clear()
        context.complain("\(error)")
        summary.failedFrames += 1
      }
      index += 1
      progress.show(
        "frame \(index), \((Double(index) / start.secondsToNow).fixed(1)) a second, "
          + "\(session.identityCount) identities")
    }
    try annotation?.finish()
    return summary
  }

  private func process(
    _ frame: VideoFrame, _ recognizer: ObjectRecognizer, _ session: inout TrackSession
  ) throws -> [Detection] {
    let start = MonotonicTime.now
    let found = try recognizer.process(frame.image, at: frame.timestamp)
    session.append(recognizer.tracks, at: frame.timestamp, seconds: start.secondsToNow)
    return found
  }

  private func reader() throws -> VideoReader {
    var options = VideoReader.Options()
    options.decoding.ignoresOrientation = pictures.ignoresOrientation
    // Rates like 29.97 are fractions of whole numbers.
    options.frameRate = framesPerSecond.flatMap {
      FrameRate(frames: Int(($0 * 1000).rounded()), seconds: 1000)
    }
    return try VideoReader(contentsOf: path, options: options)
  }

  private func recognizer(_ tracker: TrackerOptions?) throws -> ObjectRecognizer {
    let options = ObjectDetector.Options(
      scoreThreshold: threshold, labels: try pictures.labels(), input: pictures.input,
      threads: pictures.threads, budget: pictures.budget, numerics: pictures.numerics)
    let detector = try ObjectDetector(path: pictures.modelPath(orElse: .detector), options: options)
    let classifier = try classifierPath.map {
      try ImageLabeler(
        path: $0,
        options: .init(
          threads: pictures.threads, budget: pictures.budget, numerics: pictures.numerics))
    }
    return ObjectRecognizer(
      detector, classifier: classifier, options: .init(mode: .stream, tracker: tracker))
  }
}

extension VideoFrame {
  /// For programs.
  fileprivate func json(with detections: [Detection]) -> JSONValue {
    [
      "frame": .integer(index), "seconds": .number(timestamp / .seconds(1)),
      "width": .integer(image.size.width), "height": .integer(image.size.height),
      "detections": .array(detections.map { $0.json(in: image.size) }),
    ]
  }
}
