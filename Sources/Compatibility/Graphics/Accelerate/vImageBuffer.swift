// swift-format-ignore-file: AlwaysUseLowerCamelCase, TypeNamesShouldBeCapitalized

import Foundation
import OcellusImaging

/// A number of pixels.
public typealias vImagePixelCount = UInt
/// The result of a function: `kvImageNoError`, or the number of an error.
public typealias vImage_Error = Int
/// Settings of a function.
public typealias vImage_Flags = UInt32
/// A component of a pixel.
public typealias Pixel_8 = UInt8
/// A component of a pixel.
public typealias Pixel_F = Float

/// Rows of pixels in memory, which belongs to the caller.
public struct vImage_Buffer {
  /// The address of the first row.
  public var data: UnsafeMutableRawPointer!
  /// The number of rows.
  public var height: vImagePixelCount
  /// The number of pixels in a row.
  public var width: vImagePixelCount
  /// The distance between rows in bytes.
  public var rowBytes: Int

  /// Creates a description of memory.
  public init(
    data: UnsafeMutableRawPointer!, height: vImagePixelCount, width: vImagePixelCount, rowBytes: Int
  ) {
    self.data = data
    self.height = height
    self.width = width
    self.rowBytes = rowBytes
  }

  /// Creates a description without memory.
  public init() { self.init(data: nil, height: 0, width: 0, rowBytes: 0) }
}

/// There was no error.
public let kvImageNoError: vImage_Error = 0
/// The result is larger than the source.
public let kvImageRoiLargerThanInputBuffer: vImage_Error = -21766
/// Memory is short.
public let kvImageMemoryAllocationError: vImage_Error = -21771
/// A buffer has no memory.
public let kvImageNullPointerArgument: vImage_Error = -21772
/// An argument makes no sense.
public let kvImageInvalidParameter: vImage_Error = -21773
/// The sizes of buffers do not fit.
public let kvImageBufferSizeMismatch: vImage_Error = -21774
/// The rows of a buffer overlap.
public let kvImageInvalidRowBytes: vImage_Error = -21777

/// No settings.
public let kvImageNoFlags = 0
/// Alpha stays as it is in the result; without effect here.
public let kvImageLeaveAlphaUnchanged = 1
/// The edge is repeated outside of the picture; functions here always do.
public let kvImageEdgeExtend = 8
/// The work is not divided; functions here never do.
public let kvImageDoNotTile = 16
/// Pictures are resized more carefully; functions here always resize with three lobes.
public let kvImageHighQualityResampling = 32
/// The function returns the size of the working memory that the caller may provide, which is 0.
public let kvImageGetTempBufferSize = 128

/// A failure of a function, with its number.
struct BufferFailure: Error {
  let code: vImage_Error
}

extension vImage_Buffer {
  /// The size as picture sizes are.
  var size: PixelSize {
    PixelSize(width: Int(clamping: width), height: Int(clamping: height))
  }

  /// Returns the address of a row.
  func row(_ index: Int) -> UnsafeMutableRawPointer { data + index * rowBytes }

  /// Throws unless the memory is one of rows of pixels with this number of bytes.
  func check(bytesPerPixel: Int) throws(BufferFailure) {
    guard data != nil else { throw BufferFailure(code: kvImageNullPointerArgument) }
    guard (try? ImageLimits().check(size)) != nil else {
      throw BufferFailure(code: kvImageInvalidParameter)
    }
    guard rowBytes / bytesPerPixel >= size.width else {
      throw BufferFailure(code: kvImageInvalidRowBytes)
    }
  }

  /// Throws unless this buffer has the pixels that `result` has.
  func check(covers result: vImage_Buffer) throws(BufferFailure) {
    guard width >= result.width, height >= result.height else {
      throw BufferFailure(code: kvImageRoiLargerThanInputBuffer)
    }
  }
}

/// Returns the number of an error of `body`, or `kvImageNoError`.
func numbered(_ body: () throws(BufferFailure) -> Void) -> vImage_Error {
  do throws(BufferFailure) {
    try body()
    return kvImageNoError
  } catch {
    return error.code
  }
}

/// Calls `body` for pairs of pixels at the same places, as many as `result` has.
func eachPixel(
  _ source: vImage_Buffer, _ sourceBytes: Int, _ result: vImage_Buffer, _ resultBytes: Int,
  _ body: (UnsafeRawPointer, UnsafeMutableRawPointer) -> Void
) throws(BufferFailure) {
  try source.check(bytesPerPixel: sourceBytes)
  try result.check(bytesPerPixel: resultBytes)
  try source.check(covers: result)
  for y in 0..<result.size.height {
    var (from, to) = (UnsafeRawPointer(source.row(y)), result.row(y))
    for _ in 0..<result.size.width {
      body(from, to)
      from += sourceBytes
      to += resultBytes
    }
  }
}
