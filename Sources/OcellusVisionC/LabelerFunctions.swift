// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// The C headers document these functions.

public import CTensorFlowLite
import OcellusHandles
import OcellusImaging
import OcellusPlatform
import OcellusVision

/// The object behind an `OcellusLabeler`.
private final class LabelerObject: Handle, Sendable {
  let labeler: ImageLabeler
  let names = ClassNames()

  init(_ labeler: ImageLabeler) { self.labeler = labeler }
}

@c @implementation public func OcellusLabelerCreate(
  _ path: UnsafePointer<CChar>?, _ options: UnsafePointer<OcellusLabelerOptions>?,
  _ text: UnsafeMutablePointer<CChar>?, _ size: Int
) -> OpaquePointer? {
  let buffer = ErrorBuffer(text, size)
  guard let path else {
    buffer.write("there is no path of a model")
    return nil
  }
  var wanted = ImageLabeler.Options()
  if let options = options?.pointee {
    if options.score_threshold != 0 { wanted.scoreThreshold = options.score_threshold }
    if options.maximum_results != 0 { wanted.maximumResults = Int(options.maximum_results) }
    if options.threads != 0 { wanted.threads = Int(options.threads) }
  }
  do throws(VisionError) {
    return LabelerObject(try ImageLabeler(path: String(fileName: path), options: wanted)).retained()
  } catch {
    buffer.write(error.description)
    return nil
  }
}

@c @implementation public func OcellusLabelerDelete(_ labeler: OpaquePointer?) {
  LabelerObject.release(labeler)
}

@c @implementation public func OcellusLabelerLabel(
  _ labeler: OpaquePointer?, _ rgb: UnsafePointer<UInt8>?, _ width: Int32, _ height: Int32,
  _ rowByteCount: Int, _ labels: UnsafeMutablePointer<OcellusLabel>?, _ capacity: Int32,
  _ text: UnsafeMutablePointer<CChar>?, _ size: Int
) -> Int32 {
  let buffer = ErrorBuffer(text, size)
  guard let labeler = LabelerObject.at(labeler) else {
    buffer.write("there is no labeler")
    return -1
  }
  do {
    let image = try Image(borrowing: rgb, width, height, rowByteCount: rowByteCount)
    let found = try labeler.labeler.labels(in: image)
    let maximumCount = labels == nil ? 0 : max(Int(capacity), 0)
    for (index, category) in found.prefix(maximumCount).enumerated() {
      labels?[index] = OcellusLabel(
        score: category.score, category: Int32(clamping: category.index),
        label: category.label.map { labeler.names.text($0) })
    }
    return Int32(clamping: found.count)
  } catch {
    buffer.write("\(error)")
    return -1
  }
}
