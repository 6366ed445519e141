// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// What the functions do is said in the headers.

public import CTensorFlowLite
import OcellusHandles
import OcellusImaging
import OcellusVision
import Synchronization

/// What an `OcellusDetector` is.
private final class DetectorObject: Handle, Sendable {
  let detector: ObjectDetector
  /// The names of classes that were found, each made once.
  private let labels = Mutex<[String: CStrings]>([:])

  init(_ detector: ObjectDetector) { self.detector = detector }

  /// A name for as long as the detector lives.
  func text(_ label: String) -> UnsafePointer<CChar> {
    let strings = labels.withLock { labels in
      let strings = labels[label] ?? CStrings([label])
      labels[label] = strings
      return strings
    }
    return strings.pointers[0]
  }
}

extension OcellusObject {
  fileprivate init(_ detection: Detection, of detector: DetectorObject) {
    self.init()
    let category = detection.categories.first
    left = detection.box.left
    top = detection.box.top
    right = detection.box.right
    bottom = detection.box.bottom
    score = detection.score
    self.category = category.map { Int32(clamping: $0.index) } ?? -1
    label = category?.label.map { detector.text($0) }
  }
}

@c @implementation public func OcellusDetectorCreate(
  _ path: UnsafePointer<CChar>?, _ options: UnsafePointer<OcellusDetectorOptions>?,
  _ text: UnsafeMutablePointer<CChar>?, _ size: Int
) -> OpaquePointer? {
  let buffer = ErrorBuffer(text, size)
  guard let path else {
    buffer.write("there is no path of a model")
    return nil
  }
  var wanted = ObjectDetector.Options()
  if let options = options?.pointee {
    if options.score_threshold != 0 { wanted.scoreThreshold = options.score_threshold }
    if options.maximum_results != 0 { wanted.maximumResults = Int(options.maximum_results) }
    if options.threads != 0 { wanted.threads = Int(options.threads) }
  }
  do throws(VisionError) {
    return DetectorObject(try ObjectDetector(path: String(cString: path), options: wanted))
      .retained()
  } catch {
    buffer.write(error.description)
    return nil
  }
}

@c @implementation public func OcellusDetectorDelete(_ detector: OpaquePointer?) {
  DetectorObject.release(detector)
}

@c @implementation public func OcellusDetectorDetect(
  _ detector: OpaquePointer?, _ rgb: UnsafePointer<UInt8>?, _ width: Int32, _ height: Int32,
  _ rowByteCount: Int, _ objects: UnsafeMutablePointer<OcellusObject>?, _ capacity: Int32,
  _ text: UnsafeMutablePointer<CChar>?, _ size: Int
) -> Int32 {
  let buffer = ErrorBuffer(text, size)
  let rowPixels = 3 * Int(width)
  guard let detector = DetectorObject.at(detector) else {
    buffer.write("there is no detector")
    return -1
  }
  guard let rgb, width > 0, height > 0 else {
    buffer.write("there is no picture of \(width) by \(height) pixels")
    return -1
  }
  guard rowByteCount >= rowPixels, rowByteCount < 1 << 40 else {
    buffer.write("rows of \(width) pixels have at least \(rowPixels) bytes, not \(rowByteCount)")
    return -1
  }
  // The last row ends with its pixels.
  let bytes = UnsafeRawBufferPointer(
    start: rgb, count: (Int(height) - 1) * rowByteCount + rowPixels)
  do {
    let image = try Image(
      borrowing: bytes, .rgb8, size: PixelSize(width: Int(width), height: Int(height)),
      planes: [(byteOffset: 0, rowStride: rowByteCount)])
    let found = try detector.detector.detect(in: image)
    let room = objects == nil ? 0 : max(Int(capacity), 0)
    for (index, detection) in found.prefix(room).enumerated() {
      objects?[index] = OcellusObject(detection, of: detector)
    }
    return Int32(clamping: found.count)
  } catch {
    buffer.write("\(error)")
    return -1
  }
}
