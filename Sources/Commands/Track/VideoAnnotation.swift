import OcellusImaging
import OcellusPlatform
import OcellusVision

/// Writes a video with annotations, to a `.y4m` file or frame by frame into a directory.
///
/// The annotations are boxes, names, the paths of the objects, lines and zones.
struct VideoAnnotation {
  private let path: String
  private let frameRate: FrameRate
  private let lines: [LineCounter]
  private let zones: [ZoneCounter]
  private var writer: Y4MWriter?
  private var frameCount = 0
  private var trails: [Int: [PixelPoint]] = [:]
  /// Whether writing the last frame failed.
  private(set) var isBroken = false

  /// The maximum number of points in a path.
  private static let trailLength = 30

  init(path: String, frameRate: FrameRate, lines: [LineCounter], zones: [ZoneCounter]) {
    self.path = path
    self.frameRate = frameRate
    self.lines = lines
    self.zones = zones
  }

  /// Returns whether a path names a video; otherwise it names a directory.
  static func isVideo(_ path: String) -> Bool { path.hasSuffix(".y4m") || path == "-" }

  /// Annotates a frame and writes it.
  mutating func add(_ detections: [Detection], to image: Image) throws {
    isBroken = true
    var canvas = try Canvas(try image.annotated(with: detections))
    let width = max(Double(min(canvas.size.width, canvas.size.height)) / 300, 1)
    for line in lines { canvas.line(from: line.start, to: line.end, width: 2 * width, .white) }
    for zone in zones {
      canvas.polyline(zone.corners + zone.corners.prefix(1), width: 2 * width, .white)
    }
    extendTrails(detections)
    // Sorted, so crossing paths overlap in the same way in every run.
    for (id, points) in trails.sorted(by: { $0.key < $1.key }) {
      canvas.polyline(points, width: width, .distinct(id))
    }
    try write(canvas.image)
    isBroken = false
  }

  /// Finishes the video.
  func finish() throws { try writer?.close() }

  /// Extends the paths, which consist of the lower edges of boxes, where objects touch the ground.
  private mutating func extendTrails(_ detections: [Detection]) {
    var seen: [Int: [PixelPoint]] = [:]
    for detection in detections {
      guard let id = detection.trackingID else { continue }
      let foot = PixelPoint(x: detection.box.center.x, y: detection.box.bottom)
      seen[id] = ((trails[id] ?? []) + [foot]).suffix(Self.trailLength)
    }
    trails = seen
  }

  private mutating func write(_ image: Image) throws {
    frameCount += 1
    guard Self.isVideo(path) else {
      if frameCount == 1 { try FileSystem.createDirectory(path) }
      let number =
        String(repeating: "0", count: max(6 - "\(frameCount)".count, 0)) + "\(frameCount)"
      return try image.write(
        to: "\(path)/frame-\(number).png", as: .png(compressionLevel: 1))
    }
    let writer = try writer ?? Y4MWriter(path: path, size: image.size, frameRate: frameRate)
    self.writer = writer
    try writer.write(image)
  }
}
