import OcellusImaging
import OcellusJSON
import OcellusPlatform
import OcellusVision

/// Detects and tracks the objects of a video.
struct VideoTracking {
  let path: String
  let pictures: PictureOptions
  let objects: ObjectOptions
  /// The region of the frames to be examined.
  let region: BoundingBox?
  /// The frames per second, if they differ from the video's own rate.
  let framesPerSecond: Double?
  let annotationPath: String?
  /// Whether to print every frame as a line of JSON.
  let printsFrames: Bool

  /// The paths of all files that are read.
  var inputPaths: [String] { [path] + pictures.inputPaths + objects.inputPaths }

  /// Claims the annotated video or the directory of frames.
  func claimAnnotation(_ claims: inout OutputClaims) throws(UsageError) {
    guard let annotationPath else { return }
    if VideoAnnotation.isVideo(annotationPath) {
      return try claims.claim(annotationPath, for: "--annotate")
    }
    try OutputClaims.requireFolder(
      annotationPath, for: "--annotate",
      hint: "videos are written as .y4m, of which ffmpeg makes others; for frames, name a folder")
  }

  /// The results besides the tracks.
  struct Summary {
    let model: ModelSource
    let modelWarnings: [String]
    var framesPerSecond: Double
    var detectionCount = 0
    var frameCount = 0
    var failedFrames = 0
  }

  /// Processes the video; `tracker` returns the options for a number of frames per second.
  func follow(
    tracker: (Double) -> TrackerOptions?, session: inout TrackSession, in context: CommandContext
  ) throws -> Summary {
    let reader = try reader()
    let rate = Double(reader.frameRate.frames) / Double(reader.frameRate.seconds)
    let source = try pictures.modelSource(orElse: .detector)
    let recognizer = try objects.recognizer(
      source, .init(mode: .stream, tracker: tracker(rate)))
    let warnings = recognizer.detector.explanation.warnings
    // Only JSON needs the digest, which takes a while for a large model.
    let header: JSONObject =
      printsFrames ? source.json + ["model_warnings": .strings(warnings)] : [:]
    for warning in warnings { context.complain("warning: \(warning)") }
    var annotation = annotationPath.map {
      VideoAnnotation(
        path: $0, frameRate: reader.frameRate, lines: session.lines, zones: session.zones)
    }
    var summary = Summary(model: source, modelWarnings: warnings, framesPerSecond: rate)
    let progress = ProgressLine(in: context)
    defer { progress.clear() }
    let start = MonotonicTime.now
    var index = 0
    while true {
      do {
        guard let frame = try reader.next() else { break }
        let found = try process(frame, recognizer, &session)
        summary.detectionCount += found.count
        if printsFrames { try context.print(.object(header + frame.json(with: found))) }
        try context.flush()
        try annotation?.add(found, to: frame.image)
      } catch let error as FileError {
        throw error
      } catch {
        // A frame that cannot be read is skipped; an output that cannot be written ends the run.
        if annotation?.isBroken == true { throw error }
        progress.clear()
        context.complain(error)
        if printsFrames {
          try context.print(
            .object(header + ["frame": .integer(index), "error": .string("\(error)")]))
        }
        summary.failedFrames += 1
      }
      index += 1
      progress.show(
        "frame \(index), \((Double(index) / start.secondsToNow).fixed(1)) a second, "
          + "\(session.identityCount) identities")
    }
    try annotation?.finish()
    summary.frameCount = index
    return summary
  }

  private func process(
    _ frame: VideoFrame, _ recognizer: ObjectRecognizer, _ session: inout TrackSession
  ) throws -> [Detection] {
    let start = MonotonicTime.now
    let found = try recognizer.process(frame.image, at: frame.timestamp, region: region)
    session.append(recognizer.tracks, at: frame.timestamp, seconds: start.secondsToNow)
    return found
  }

  private func reader() throws -> VideoReader {
    var options = VideoReader.Options()
    options.decoding.ignoresOrientation = pictures.ignoresOrientation
    // Rates such as 29.97 are fractions of integers.
    options.frameRate = framesPerSecond.flatMap {
      FrameRate(frames: Int(($0 * 1000).rounded()), seconds: 1000)
    }
    return try VideoReader(contentsOf: path, options: options)
  }
}

extension VideoFrame {
  /// Returns the frame as JSON.
  fileprivate func json(with detections: [Detection]) -> JSONObject {
    [
      "frame": .integer(index), "seconds": .number(timestamp / .seconds(1)),
      "width": .integer(image.size.width), "height": .integer(image.size.height),
      "detections": .array(detections.map { $0.json(in: image.size) }),
    ]
  }
}
