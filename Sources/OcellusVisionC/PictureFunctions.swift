// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// The C headers document these functions.

public import CTensorFlowLite
import OcellusImaging
import OcellusPlatform

/// The reason why a program's bytes are not a picture.
struct PictureError: Error, CustomStringConvertible {
  let description: String
}

extension Image {
  /// Refers to a program's RGB picture without copying it.
  init(
    borrowing rgb: UnsafePointer<UInt8>?, _ width: Int32, _ height: Int32, rowByteCount: Int
  ) throws {
    guard let rgb, width > 0, height > 0 else {
      throw PictureError(description: "there is no picture of \(width) by \(height) pixels")
    }
    let rowPixels = 3 * Int(width)
    guard rowByteCount >= rowPixels, rowByteCount < 1 << 40 else {
      throw PictureError(
        description:
          "rows of \(width) pixels have at least \(rowPixels) bytes, not \(rowByteCount)")
    }
    // The last row may lack the padding after its pixels.
    let bytes = UnsafeRawBufferPointer(
      start: rgb, count: (Int(height) - 1) * rowByteCount + rowPixels)
    try self.init(
      borrowing: bytes, .rgb8, size: PixelSize(width: Int(width), height: Int(height)),
      planes: [(byteOffset: 0, rowStride: rowByteCount)])
  }
}

@c @implementation public func OcellusPictureDecode(
  _ bytes: UnsafePointer<UInt8>?, _ count: Int, _ picture: UnsafeMutablePointer<OcellusPicture>?,
  _ text: UnsafeMutablePointer<CChar>?, _ size: Int
) -> Int32 {
  let buffer = ErrorBuffer(text, size)
  guard let picture, count >= 0,
    let bytes = bytes ?? (count == 0 ? UnsafePointer(bitPattern: 1) : nil)
  else {
    buffer.write("there are no bytes of a picture, or no place for one")
    return -1
  }
  do {
    let file = Array(UnsafeBufferPointer(start: bytes, count: count))
    let image = try Image(decoding: file).upright().converted(to: .rgb8)
    let pixels = try image.packedPixels()
    picture.pointee = OcellusPicture(
      rgb: pixels, width: Int32(clamping: image.size.width),
      height: Int32(clamping: image.size.height))
    return 0
  } catch {
    buffer.write("\(error)")
    return -1
  }
}

extension Image {
  /// Returns the pixels of an upright picture of one plane without padding; free them with `free`.
  fileprivate func packedPixels() throws -> UnsafeMutablePointer<UInt8> {
    let rowByteCount = 3 * size.width
    guard let memory = malloc(max(rowByteCount * size.height, 1)) else {
      throw PictureError(
        description: "there is no memory for \(size.width) by \(size.height) pixels")
    }
    let plane = planes[0]
    withUnsafeBytes { bytes in
      for row in 0..<size.height {
        let source = plane.byteOffset + row * plane.rowStride
        UnsafeMutableRawBufferPointer(
          start: memory + row * rowByteCount, count: rowByteCount
        ).copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[source..<source + rowByteCount]))
      }
    }
    return memory.assumingMemoryBound(to: UInt8.self)
  }
}

@c @implementation public func OcellusVisionFree(_ memory: UnsafeMutableRawPointer?) {
  free(memory)
}
