import OcellusImaging
import OcellusJSON
import OcellusPlatform
import OcellusVision

/// `ocellus track`: follows objects from frame to frame.
struct TrackCommand: Command {
  private static let trackers: [(word: String, value: TrackerOptions)] = [
    ("default", .default), ("sort", .sort), ("bytetrack", .byteTrack), ("ocsort", .ocSort),
  ]

  private static let annotation = Option<String?>.text(
    "annotate", "OUT.y4m|DIR", accepts: .newFile,
    help: """
      Write the video with boxes, names and paths ('-' is standard output), or its frames into the \
      folder DIR.
      """)
  private static let jsonLines = Option.flag(
    "jsonl", help: "Print a line of JSON for each frame of a video, as soon as it is done.")
  private static let source = Option<String?>.text(
    "from", "DETECTIONS.txt", accepts: .file,
    help: "Detections in the text format of MOTChallenge; '-' is standard input.")
  private static let rate = Option<Double?>.number(
    "fps", "F", in: 0.001...100_000, help: "Frames a second.")
  private static let size = Option<String?>.text(
    "size", "WxH", help: "The size of the pictures, for lines and zones in percent of it.")
  private static let tracker = Option<String?>.choice(
    "tracker", "NAME", of: trackers.map { ($0.word, $0.word) },
    help: "default, or a published one: sort, bytetrack, ocsort.")
  private static let motPath = Option<String?>.text(
    "mot", "OUT.txt", accepts: .newFile,
    help: "Write the tracks in the same format; '-' is standard output.")
  private static let lines = Option<[String]>.texts(
    "line", "X,Y,X,Y", help: "Count who crosses the line between two points, in both directions.")
  private static let zones = Option<[String]>.texts(
    "zone", "X,Y,X,Y,X,Y...", help: "Count who enters and leaves the polygon.")
  private static let band = Option<Double?>.number(
    "band", "PIXELS", in: 0...10_000,
    help: "How far from a line or border one must be to be on one side of it. Default: 5.")
  private static let dwell = Option<Double?>.number(
    "dwell", "SECONDS", in: 0...86_400,
    help: "How long an object must stay on a side to be counted there. Default: 0.")
  private static let truthPath = Option<String?>.text(
    "truth", "GT.txt", accepts: .file, help: "Compare with the ground truth: HOTA, MOTA, IDF1.")
  private static let minimumHeight = Option<Double?>.number(
    "min-height", "PIXELS", in: 0...10_000,
    help: "With --truth: tracks up to this height that lie on no object are not judged (KITTI: 25)."
  )
  private static let json = Option.flag("json", help: "Print one JSON object instead of a table.")

  /// The options that apply only if the objects are detected in a video.
  private static let videoOptions =
    PictureOptions.definitionsWithLabels + ObjectOptions.definitions + [
      Option<BoundingBox?>.region.definition, annotation.definition, jsonLines.definition,
    ]

  static let definition = CommandDefinition(
    name: "track", summary: "Follow objects from frame to frame, and count them.",
    operand: OperandDefinition(
      "VIDEO", count: 0...1,
      help: """
        a Y4M or MJPEG file, a folder of pictures, a pattern like frame-%04d.png, or '-' for the \
        standard input
        """),
    options: videoOptions + [
      source.definition, rate.definition, size.definition, tracker.definition,
      motPath.definition, lines.definition, zones.definition, band.definition, dwell.definition,
      truthPath.definition, minimumHeight.definition, RunRecord.videoOption.definition,
      OutputClaims.force.definition,
      json.definition,
    ],
    discussion: """
      Objects come from a video, in which -m MODEL finds them, or as detections with --from. Other \
      videos go through a pipe: ffmpeg -i IN.mp4 -f yuv4mpegpipe - | ocellus track - -m MODEL. A \
      frame that cannot be read is reported, the next ones are still looked at, and the exit code \
      is \(ExitCode.partial.rawValue).

      A line of detections is frame,-1,left,top,width,height,score and may go on; frames count from \
      1, in any order. A line of tracks is frame,identity,left,top,width,height,1,-1,-1,-1: what was \
      observed of objects with an identity, which are 1, 2, 3 and so on without gaps.

      The default tracker computes in seconds, so its results hardly depend on the frame rate. The \
      published ones count in frames, as their authors evaluate them.

      Coordinates of lines and zones are pixels, or percent behind --size. Left and right of a line \
      are those of somebody who walks from its first point to its second. Boxes count by their \
      middle, and only with an identity.
      """,
    examples: [
      .init(
        arguments: "street.y4m -m ssd.tflite --annotate followed.y4m",
        purpose: "See who goes where."),
      .init(
        arguments: "--from det.txt --fps 30 --mot tracks.txt",
        purpose: "Detections in, identities out."),
      .init(
        arguments: "--from det.txt --fps 25 --size 1920x1080 --line 50%,0,50%,100% --json",
        purpose: "How many crossed the middle of the picture, and when."),
      .init(
        arguments: "--from det.txt --fps 30 --tracker bytetrack --truth gt.txt",
        purpose: "How good a published tracker is on a sequence."),
    ])

  /// The source of the objects.
  private enum Source {
    case detections(path: String, framesPerSecond: Double)
    case video(VideoTracking)
  }

  private let arguments: ParsedArguments
  private let recordPath: String?
  private let source: Source
  private let trackerName: String
  private let outputPath: String?
  private let lineCounters: [LineCounter]
  private let zoneCounters: [ZoneCounter]
  private let truthFilePath: String?
  private let judgedHeight: Double?
  private let isForced: Bool
  private let isJSON: Bool

  init(_ arguments: ParsedArguments) throws(UsageError) {
    self.arguments = arguments
    source = try Self.source(arguments)
    recordPath = try Self.recordPath(arguments)
    trackerName = try arguments[Self.tracker] ?? "default"
    outputPath = try arguments[Self.motPath]
    truthFilePath = try arguments[Self.truthPath]
    judgedHeight = try arguments[Self.minimumHeight]
    isForced = try arguments[OutputClaims.force]
    isJSON = try arguments[Self.json]
    if truthFilePath != nil, case .video(let video) = source, video.printsFrames {
      throw UsageError("--truth cannot be combined with --jsonl; use --json")
    }
    let counting = CountingOptions(
      band: try arguments[Self.band] ?? 5, minimumDwell: .seconds(try arguments[Self.dwell] ?? 0))
    var size: PixelSize?
    if let text = try arguments[Self.size] { size = try PixelSize(option: "size", text) }
    let coordinates = PictureCoordinates(size: size)
    var lines: [LineCounter] = []
    for text in try arguments[Self.lines] {
      let points = try coordinates.points(in: text, of: "line", count: 2...2)
      lines.append(LineCounter(from: points[0], to: points[1], options: counting))
    }
    var zones: [ZoneCounter] = []
    for text in try arguments[Self.zones] {
      let corners = try coordinates.points(in: text, of: "zone", count: 3...10_000)
      zones.append(ZoneCounter(corners: corners, options: counting))
    }
    lineCounters = lines
    zoneCounters = zones
  }

  private static func source(_ arguments: ParsedArguments) throws(UsageError) -> Source {
    let rate = try arguments[Self.rate]
    switch (arguments.operands.first, try arguments[Self.source]) {
    case (nil, let path?):
      guard let rate else { throw UsageError("--from wants the frames a second as well: --fps F") }
      if let option = videoOptions.first(where: { arguments.texts[$0.name] != nil }) {
        throw UsageError("--\(option.name) is about a video, and --from has detections only")
      }
      return .detections(path: path, framesPerSecond: rate)
    case (let path?, nil):
      let pictures = try PictureOptions(arguments)
      return .video(
        VideoTracking(
          path: path, pictures: pictures, objects: try ObjectOptions(arguments, pictures),
          region: try arguments[Option<BoundingBox?>.region], framesPerSecond: rate,
          annotationPath: try arguments[Self.annotation],
          printsFrames: try arguments[Self.jsonLines]))
    case (nil, nil): throw UsageError("track wants a video, or detections: --from DETECTIONS.txt")
    default: throw UsageError("either a video or --from, not both")
    }
  }

  /// Returns the directory in which to record the run; everything that the run reads must be files.
  private static func recordPath(
    _ arguments: ParsedArguments
  ) throws(UsageError) -> String? {
    guard let path = try arguments[RunRecord.videoOption] else { return nil }
    for read in arguments.operands + [try arguments[Self.source]].compactMap(\.self) {
      guard FileSystem.exists(read), !FileSystem.isDirectory(read) else {
        throw UsageError("--record copies what is followed, which has to be one file: '\(read)'")
      }
    }
    return path
  }

  func run(in context: CommandContext) throws -> ExitCode {
    if case .video(let video) = source {
      let given = video.pictures.givenModelPath
      try PublicModelOffer(.detector).make(unlessGiven: given, in: context)
    }
    let exitCode = try follow(in: context)
    if let recordPath {
      var modelPath: String?
      if case .video(let video) = source {
        modelPath = try video.pictures.modelPath(orElse: .detector)
      }
      try RunRecord.write(Self.self, arguments, modelPath: modelPath, to: recordPath)
    }
    return exitCode
  }

  private func follow(in context: CommandContext) throws -> ExitCode {
    let context = context.reporting(beside: try claims())
    let truth = try truthFilePath.map { try MOTRow.readTruth($0) }
    var session = TrackSession(.default, lines: lineCounters, zones: zoneCounters)
    var exitCode = ExitCode.success
    let (rate, detectionCount): (Double, Int)
    var model = JSONObject()
    switch source {
    case .detections(let path, let framesPerSecond):
      let detections = try MOTRow.read(path)
      session = try follow(
        detections, frames: truth?.count ?? 0, framesPerSecond: framesPerSecond, in: context)
      (rate, detectionCount) = (framesPerSecond, detections.count)
    case .video(let video):
      let summary = try video.follow(
        tracker: { options(framesPerSecond: $0) }, session: &session, in: context)
      (rate, detectionCount) = (summary.framesPerSecond, summary.detectionCount)
      // Only JSON needs the digest, which takes a while for a large model.
      if isJSON {
        model = summary.model.json + ["model_warnings": .strings(summary.modelWarnings)]
      }
      exitCode = .finished(failures: summary.failedFrames, of: summary.frameCount)
    }
    if let outputPath { try context.write(Array(session.motText.utf8), to: outputPath) }
    if case .video(let video) = source, video.printsFrames { return exitCode }
    let report = TrackReport(
      model: model, trackerName: trackerName, framesPerSecond: rate,
      detectionCount: detectionCount,
      session: session, evaluation: try truth.map { try evaluation(of: session, against: $0) })
    if isJSON {
      try context.print(report.json)
    } else {
      try context.write(report.text)
    }
    return exitCode
  }

  /// Claims all files that will be written.
  private func claims() throws(UsageError) -> OutputClaims {
    var inputs = [truthFilePath].compactMap(\.self)
    var format = isJSON ? "--json" : nil
    switch source {
    case .detections(let path, _): inputs.append(path)
    case .video(let video):
      inputs += video.inputPaths
      if video.printsFrames {
        guard !isJSON else { throw UsageError("either --json or --jsonl, not both") }
        format = "--jsonl"
      }
    }
    var claims = OutputClaims(reading: inputs, isForced: isForced)
    if let outputPath { try claims.claim(outputPath, for: "--mot") }
    if case .video(let video) = source { try video.claimAnnotation(&claims) }
    try claims.claimStandardOutput(for: format)
    return claims
  }

  /// Evaluates the tracks against ground truth.
  ///
  /// - Throws: an error if the ground truth has more frames than the tracks.
  private func evaluation(
    of session: TrackSession, against truth: [[MOTRow]]
  ) throws(TruthError) -> MOTEvaluation {
    guard truth.count <= session.frames.count else {
      throw TruthError(
        path: truthFilePath ?? "",
        problem: "is about \(truth.count) frames, and there are \(session.frames.count)")
    }
    return MOTEvaluation(
      truth: truth.map { $0.map(TruthBox.init) }, tracks: session.frames,
      minimumHeight: judgedHeight)
  }

  /// Tracks detections through as many frames as they or the ground truth have.
  private func follow(
    _ detections: [MOTRow], frames: Int, framesPerSecond: Double, in context: CommandContext
  ) throws(TrackingError) -> TrackSession {
    var session = TrackSession(
      options(framesPerSecond: framesPerSecond) ?? .default, lines: lineCounters,
      zones: zoneCounters)
    let progress = ProgressLine(in: context)
    defer { progress.clear() }
    var byFrame = detections.byFrame()
    while byFrame.count < frames { byFrame.append([]) }
    for (index, rows) in byFrame.enumerated() {
      try session.append(
        boxes: rows.map(\.box), scores: rows.map { Float($0.rest.first ?? 1) },
        at: .seconds(Double(index) / framesPerSecond))
      progress.show("frame \(index + 1) of \(byFrame.count), \(session.identityCount) identities")
    }
    return session
  }

  /// Returns the options of a published tracker, which counts in frames, or `nil` for the default.
  private func options(framesPerSecond: Double) -> TrackerOptions? {
    guard trackerName != "default" else { return nil }
    let preset = Self.trackers.first { $0.word == trackerName }?.value
    return preset?.countingFrames(of: .seconds(1) / framesPerSecond)
  }
}
