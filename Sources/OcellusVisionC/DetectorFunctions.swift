// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// The C headers document these functions.

public import CTensorFlowLite
import OcellusHandles
import OcellusImaging
import OcellusJSON
import OcellusPlatform
import OcellusVision

/// The object behind an `OcellusDetector`.
private final class DetectorObject: Handle, Sendable {
  let detector: ObjectDetector
  let names = ClassNames()

  init(_ detector: ObjectDetector) { self.detector = detector }
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
    label = category?.label.map { detector.names.text($0) }
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
    return DetectorObject(try ObjectDetector(path: String(fileName: path), options: wanted))
      .retained()
  } catch {
    buffer.write(error.description)
    return nil
  }
}

@c @implementation public func OcellusDetectorDelete(_ detector: OpaquePointer?) {
  DetectorObject.release(detector)
}

@c @implementation public func OcellusDetectorExplain(
  _ detector: OpaquePointer?
) -> UnsafeMutablePointer<CChar>? {
  guard let explanation = DetectorObject.at(detector)?.detector.explanation else { return nil }
  let contents: JSONObject = [
    "explanation": explanation.json,
    "warnings": .array(explanation.warnings.map { .string($0) }),
  ]
  return strdup(JSONValue.object(contents).text)
}

@c @implementation public func OcellusDetectorDetect(
  _ detector: OpaquePointer?, _ rgb: UnsafePointer<UInt8>?, _ width: Int32, _ height: Int32,
  _ rowByteCount: Int, _ objects: UnsafeMutablePointer<OcellusObject>?, _ capacity: Int32,
  _ text: UnsafeMutablePointer<CChar>?, _ size: Int
) -> Int32 {
  let buffer = ErrorBuffer(text, size)
  guard let detector = DetectorObject.at(detector) else {
    buffer.write("there is no detector")
    return -1
  }
  do {
    let image = try Image(borrowing: rgb, width, height, rowByteCount: rowByteCount)
    let found = try detector.detector.detect(in: image)
    let maximumCount = objects == nil ? 0 : max(Int(capacity), 0)
    for (index, detection) in found.prefix(maximumCount).enumerated() {
      objects?[index] = OcellusObject(detection, of: detector)
    }
    return Int32(clamping: found.count)
  } catch {
    buffer.write("\(error)")
    return -1
  }
}
