import OcellusEngine
import OcellusImaging
import OcellusPlatform
import OcellusVision

// Measures the cost of detection and tracking beyond that of the network.
//
//   vision-bench DETECTOR.tflite CLASSIFIER.tflite PICTURE
//   vision-bench --clip Models/samples [HEIGHT [DETECTOR.tflite]]     the folder's clip in real
// time

if CommandLine.arguments.count > 2, CommandLine.arguments[1] == "--clip" {
  let rest = CommandLine.arguments.dropFirst(3)
  try StreamLatency(
    samples: CommandLine.arguments[2], height: rest.first.flatMap { Int($0) },
    detectorPath: rest.dropFirst().first
  ).measure()
  exit(0)
}

guard CommandLine.arguments.count == 4 else {
  let usage = Array("usage: vision-bench DETECTOR.tflite CLASSIFIER.tflite PICTURE\n".utf8)
  _ = write(STDERR_FILENO, usage, usage.count)
  exit(2)
}
let (detectorPath, classifierPath, picturePath) = (
  CommandLine.arguments[1], CommandLine.arguments[2], CommandLine.arguments[3]
)
let picture = try Image(contentsOf: picturePath)

/// Returns the median time of `body` in milliseconds.
func median(of count: Int, _ body: () throws -> Void) rethrows -> Double {
  let clock = ContinuousClock()
  let times = try (0..<count).map { _ in try clock.measure(body) / .milliseconds(1) }
  return times.sorted()[count / 2]
}

/// Measures detection in a frame of the network's size, alternating with the network alone.
@MainActor func measureDetection() throws {
  let detector = try ObjectDetector(path: detectorPath, options: .init(threads: 1))
  let size = detector.input.tensor.size
  let frame = try picture.resized(to: size, using: .pillowBilinear)
  let interpreter = try Interpreter(Model(path: detectorPath))
  let tensor = try detector.inputTensor(for: frame)
  try interpreter.setInput(at: 0, bytes: tensor)
  var (alone, whole): ([Double], [Double]) = ([], [])
  for _ in 0..<9 {
    alone.append(try median(of: 21) { try interpreter.run() })
    whole.append(try median(of: 21) { _ = try detector.detect(in: frame) })
  }
  let ratios = zip(whole, alone).map { $0 / $1 }.sorted()
  print("network alone   \(size)  \(alone.sorted()[4]) ms")
  print("frame to boxes  \(size)  \(whole.sorted()[4]) ms, \(ratios[4]) of the network alone")
}

/// Measures a 720p stream with ten objects and a classifier: 300 frames at full speed.
@MainActor func measureStream() throws {
  let frame = try picture.resized(to: PixelSize(width: 1280, height: 720), using: .pillowBilinear)
    .converted(to: .nv12(YCbCrEncoding(matrix: .bt709, range: .video)))
  let detector = try ObjectDetector(
    path: detectorPath, options: .init(scoreThreshold: 0, maximumResults: 10, threads: 2))
  let classifier = try ImageLabeler(path: classifierPath, options: .init(threads: 2))
  let recognizer = ObjectRecognizer(detector, classifier: classifier)
  var found: [Detection] = []
  var frameCount = 0
  let clock = ContinuousClock()
  let time = try clock.measure {
    for frameIndex in 0..<300 {
      found = try recognizer.process(frame, at: .seconds(frameIndex) / 30)
      frameCount += 1
    }
  }
  let rate = Double(frameCount) / (time / .seconds(1))
  print("stream  1280x720 NV12, \(found.count) objects, classifier  \(rate) frames a second")
}

/// Measures 100 pictures: one by one with one and two threads, and in pools of one and two viewers.
@MainActor func measurePool() async throws {
  let frame = try picture.resized(to: PixelSize(width: 1280, height: 720), using: .pillowBilinear)
  let frames = [Image](repeating: frame, count: 100)
  let loops = try (1...2).map { threads in
    try ObjectDetector(path: detectorPath, options: .init(threads: threads))
  }
  let pools = try (1...2).map { count in
    try DetectorPool(
      ObjectDetector(path: detectorPath, options: .init(threads: 1)), count: count)
  }
  var rates: [[Double]] = [[], [], [], []]
  let clock = ContinuousClock()
  for _ in 0..<9 {
    for (index, detector) in loops.enumerated() {
      let time = try clock.measure { _ = try detector.detect(in: frames) }
      rates[index].append(100 / (time / .seconds(1)))
    }
    for (index, pool) in pools.enumerated() {
      let time = try await clock.measure { _ = try await pool.detect(in: frames) }
      rates[2 + index].append(100 / (time / .seconds(1)))
    }
  }
  let names = ["loop, one thread", "loop, two threads", "a pool of one", "a pool of two"]
  for (name, rates) in zip(names, rates) {
    print("\(name)  \(rates.sorted()[4]) pictures a second")
  }
}

/// Measures the gain of batches: a classifier on one thread, pictures of its input's size.
@MainActor func measureBatches() throws {
  let labeler = try ImageLabeler(path: classifierPath, options: .init(threads: 1))
  let small = try picture.resized(to: labeler.input.tensor.size, using: .pillowBilinear)
  let pictures = [Image](repeating: small, count: 64)
  var (alone, together): ([Double], [Double]) = ([], [])
  for _ in 0..<9 {
    alone.append(try median(of: 3) { _ = try labeler.labels(in: pictures, batching: .never) })
    together.append(
      try median(of: 3) { _ = try labeler.labels(in: pictures, batching: .wherePossible) })
  }
  let ratio = zip(alone, together).map { $0 / $1 }.sorted()[4]
  print(
    "\(labeler.picturesPerRun) pictures in a run  "
      + "\(64_000 / together.sorted()[4]) a second, \(ratio) of one by one")
}

try measureDetection()
try measureStream()
try measureBatches()
try await measurePool()
