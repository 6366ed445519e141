import OcellusImaging
import OcellusJSON
import OcellusPlatform
import OcellusVision

/// The latency and accuracy of a clip played in real time, with several search cadences.
///
/// The detector searches every picture, every n-th one, or as many as a latency allows.
struct StreamLatency {
  private var frames: [Image] = []
  private var truth: [[TruthBox]] = []
  private let period: Duration
  private let detectorPath: String?

  /// Reads the clip of `Models/samples`, in its own size or scaled to `height`.
  init(samples: String, height: Int?, detectorPath: String?) throws {
    self.detectorPath = detectorPath
    let document = try JSONParser.parse(try FileSystem.read(samples + "/clip.truth.json")).object
    period = .seconds(1) / (document?["rate"]?.number ?? 15)
    let video = try VideoReader(contentsOf: samples + "/clip.y4m")
    var scale = 1.0
    while let frame = try video.next() {
      guard let height else { frames.append(frame.image); continue }
      scale = Double(height) / Double(frame.image.size.height)
      let size = PixelSize(
        width: Int(scale * Double(frame.image.size.width)), height: height)
      frames.append(
        try frame.image.resized(to: size, using: .pillowBilinear)
          .converted(to: .nv12(YCbCrEncoding(matrix: .bt709, range: .video))))
    }
    for things in document?["frames"]?.array ?? [] {
      truth.append((things.array ?? []).compactMap { Self.box($0.object, scale: scale) })
    }
  }

  private static func box(_ thing: JSONObject?, scale: Double) -> TruthBox? {
    guard let thing, let id = thing["identity"]?.integer, let box = thing["box"]?.object,
      let left = box["left"]?.number, let top = box["top"]?.number,
      let right = box["right"]?.number, let bottom = box["bottom"]?.number
    else { return nil }
    return TruthBox(
      id: id,
      box: BoundingBox(
        left: scale * left, top: scale * top, right: scale * right, bottom: scale * bottom),
      kind: thing["visible"]?.number ?? 1 < 0.3 ? .distractor : .object)
  }

  func measure() throws {
    let size = frames[0].size
    print("stream in real time, \(size), \(frames.count) pictures, one every \(period)")
    let cadences: [ObjectRecognizer.Cadence] = [
      .everyFrame, .every(2), .every(4), .adaptive(latency: .milliseconds(50)),
      .adaptive(latency: .milliseconds(5)), .adaptive(latency: .milliseconds(1)),
    ]
    for cadence in cadences { try measure(cadence) }
  }

  private func measure(_ cadence: ObjectRecognizer.Cadence) throws {
    let options = ObjectDetector.Options(threads: 1)
    let detector =
      if let detectorPath {
        try ObjectDetector(path: detectorPath, options: options)
      } else { try ObjectDetector(options: options) }
    // The network packs its weights in its first run.
    _ = try detector.detect(in: frames[0])
    let recognizer = ObjectRecognizer(detector, options: .init(cadence: cadence))
    var evaluation = MOTEvaluation()
    var times: [Double] = []
    for _ in 0..<4 {
      recognizer.reset()
      let tracks = try play(recognizer, &times)
      evaluation += MOTEvaluation(truth: truth, tracks: tracks)
    }
    times.sort()
    func share(_ part: Double) -> Double { times[Int(part * Double(times.count - 1))] }
    var line = "\(cadence): median \(share(0.5)) ms, 99 of 100 within \(share(0.99)) ms"
    if case .adaptive(let latency) = cadence {
      let inTime = times.count { $0 <= latency / .milliseconds(1) }
      line += " (\(inTime) of \(times.count) in time)"
    }
    print(
      "\(line), HOTA \(100 * evaluation.hota), \(evaluation.identitySwitches) switches")
  }

  /// Plays the clip once at its frame rate.
  private func play(
    _ recognizer: ObjectRecognizer, _ times: inout [Double]
  ) throws -> [[TrackedBox]] {
    let clock = ContinuousClock()
    let start = clock.now
    var tracks: [[TrackedBox]] = []
    for (index, frame) in frames.enumerated() {
      let wait = clock.now.duration(to: start + period * index)
      if wait > .zero { usleep(UInt32(wait / .microseconds(1))) }
      var found: [Detection] = []
      times.append(
        try clock.measure { found = try recognizer.process(frame, at: period * index) }
          / .milliseconds(1))
      tracks.append(
        found.compactMap { detection in
          detection.trackingID.map { TrackedBox(id: $0, box: detection.box) }
        })
    }
    return tracks
  }
}
