import OcellusImaging
import OcellusJSON
import OcellusPlatform
import OcellusVision

/// Finds and follows the objects of a video.
struct VideoTracking {
  let path: String
  let pictures: PictureOptions
  let objects: ObjectOptions
  /// The part of the frames to look at.
  let region: BoundingBox?
  /// The frames a second, in place of what the video says.
  let framesPerSecond: Double?
  let annotationPath: String?
  /// Whether every frame is printed as a line of JSON.
  let printsFrames: Bool

  /// The files that are read.
  var inputPaths: [String] { [path] + pictures.inputPaths + objects.inputPaths }

  /// Claims the video, or the folder, that is written.
  func claimAnnotation(_ claims: inout OutputClaims) throws(UsageError) {
    guard let annotationPath else { return }
    if VideoAnnotation.isVideo(annotationPath) {
      return try claims.claim(annotationPath, for: "--annotate")
    }
    try OutputClaims.requireFolder(
      annotationPath, for: "--annotate",
      hint: "videos are written as .y4m, of which ffmpeg makes others; for frames, name a folder")
  }

  /// What came out besides the tracks.
  struct Summary {
    let modelPath: String
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
    let modelPath = try pictures.modelPath(orElse: .detector)
    let recognizer = try objects.recognizer(
      .path(modelPath), .init(mode: .stream, tracker: tracker(rate)))
    // The digest of a large model takes a while, and only programs want it.
    let header = printsFrames ? JSONObject(modelAt: modelPath) : JSONObject()
    for warning in recognizer.detector.explanation.warnings {
      context.complain("warning: \(warning)")
    }
    var annotation = annotationPath.map {
      VideoAnnotation(
        path: $0, frameRate: reader.frameRate, lines: session.lines, zones: session.zones)
    }
    var summary = Summary(modelPath: modelPath, framesPerSecond: rate)
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
        // A broken frame is one frame less; a video that cannot be written is the end.
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
    // Rates like 29.97 are fractions of whole numbers.
    options.frameRate = framesPerSecond.flatMap {
      FrameRate(frames: Int(($0 * 1000).rounded()), seconds: 1000)
    }
    return try VideoReader(contentsOf: path, options: options)
  }
}

extension VideoFrame {
  /// For programs.
  fileprivate func json(with detections: [Detection]) -> JSONObject {
    [
      "frame": .integer(index), "seconds": .number(timestamp / .seconds(1)),
      "width": .integer(image.size.width), "height": .integer(image.size.height),
      "detections": .array(detections.map { $0.json(in: image.size) }),
    ]
  }
}
