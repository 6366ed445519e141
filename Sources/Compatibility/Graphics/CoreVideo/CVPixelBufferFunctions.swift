// swift-format-ignore-file: AlwaysUseLowerCamelCase

import OcellusImaging

/// Core Video's name for any buffer of an image; all are pixel buffers here.
public typealias CVImageBuffer = CVPixelBuffer
/// Core Video's name for any buffer.
public typealias CVBuffer = CVPixelBuffer
/// The result of a function: `kCVReturnSuccess`, or the number of an error.
public typealias CVReturn = Int32
/// A function that frees the memory of a buffer, given its context and its address.
public typealias CVPixelBufferReleaseBytesCallback =
  @convention(c) (
    UnsafeMutableRawPointer?, UnsafeRawPointer?
  ) -> Void

/// The purpose of a lock.
public struct CVPixelBufferLockFlags: OptionSet, Hashable, Sendable {
  /// The bits of the purposes.
  public let rawValue: UInt64

  /// Creates a purpose from its bits.
  public init(rawValue: UInt64) { self.rawValue = rawValue }

  /// The memory is only read.
  public static let readOnly = CVPixelBufferLockFlags(rawValue: 1)
}

/// There was no error.
public let kCVReturnSuccess: CVReturn = 0
/// Something failed.
public let kCVReturnError: CVReturn = -6660
/// An argument makes no sense.
public let kCVReturnInvalidArgument = BufferError.invalidArgument.rawValue
/// Memory is short.
public let kCVReturnAllocationFailed = BufferError.noMemory.rawValue
/// The format of the pixels is not supported.
public let kCVReturnInvalidPixelFormat = BufferError.invalidFormat.rawValue
/// The size has no pixels, or too many.
public let kCVReturnInvalidSize = BufferError.invalidSize.rawValue

/// Bytes of alpha, red, green and blue.
public let kCVPixelFormatType_32ARGB: OSType = 0x20
/// Bytes of blue, green, red and alpha.
public let kCVPixelFormatType_32BGRA: OSType = 0x4247_5241
/// Bytes of alpha, blue, green and red.
public let kCVPixelFormatType_32ABGR: OSType = 0x4142_4752
/// Bytes of red, green, blue and alpha.
public let kCVPixelFormatType_32RGBA: OSType = 0x5247_4241
/// Bytes of red, green and blue.
public let kCVPixelFormatType_24RGB: OSType = 0x18
/// Bytes of blue, green and red.
public let kCVPixelFormatType_24BGR: OSType = 0x3234_4247
/// Bytes of gray.
public let kCVPixelFormatType_OneComponent8: OSType = 0x4C30_3038
/// 32-bit floats, such as those of a mask.
public let kCVPixelFormatType_OneComponent32Float: OSType = 0x4C30_3066
/// A plane of luma in 16…235, and one of Cb and Cr at half the width and height.
public let kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange: OSType = 0x3432_3076
/// A plane of luma in 0…255, and one of Cb and Cr at half the width and height.
public let kCVPixelFormatType_420YpCbCr8BiPlanarFullRange: OSType = 0x3432_3066
/// Planes of luma in 16…235, Cb and Cr, the latter two at half the width and height.
public let kCVPixelFormatType_420YpCbCr8Planar: OSType = 0x7934_3230
/// Planes of luma in 0…255, Cb and Cr, the latter two at half the width and height.
public let kCVPixelFormatType_420YpCbCr8PlanarFullRange: OSType = 0x6634_3230

/// The key of the format in the attributes of buffers.
public let kCVPixelBufferPixelFormatTypeKey: CFString = "PixelFormatType"
/// The key of the width in the attributes of buffers.
public let kCVPixelBufferWidthKey: CFString = "Width"
/// The key of the height in the attributes of buffers.
public let kCVPixelBufferHeightKey: CFString = "Height"
/// The key of an attribute that has no effect here.
public let kCVPixelBufferCGImageCompatibilityKey: CFString = "CGImageCompatibility"
/// The key of an attribute that has no effect here.
public let kCVPixelBufferCGBitmapContextCompatibilityKey: CFString = "CGBitmapContextCompatibility"
/// The key of an attribute that has no effect here.
public let kCVPixelBufferIOSurfacePropertiesKey: CFString = "IOSurfaceProperties"
/// The key of an attribute that has no effect here.
public let kCVPixelBufferMetalCompatibilityKey: CFString = "MetalCompatibility"

/// Creates a buffer with memory of its own, which is cleared; the attributes have no effect.
@discardableResult
public func CVPixelBufferCreate(
  _ allocator: CFAllocator?, _ width: Int, _ height: Int, _ pixelFormatType: OSType,
  _ pixelBufferAttributes: CFDictionary?,
  _ pixelBufferOut: UnsafeMutablePointer<CVPixelBuffer?>
) -> CVReturn {
  do throws(BufferError) {
    guard let format = VideoFormat(pixelFormatType) else { throw .invalidFormat }
    pixelBufferOut.pointee = try CVPixelBuffer(allocating: format, width: width, height: height)
    return kCVReturnSuccess
  } catch {
    return error.rawValue
  }
}

/// Creates a buffer in the caller's memory, for formats with one plane; the attributes have no
/// effect.
///
/// `releaseCallback` is called when the buffer is no longer used.
@discardableResult
public func CVPixelBufferCreateWithBytes(
  _ allocator: CFAllocator?, _ width: Int, _ height: Int, _ pixelFormatType: OSType,
  _ baseAddress: UnsafeMutableRawPointer, _ bytesPerRow: Int,
  _ releaseCallback: CVPixelBufferReleaseBytesCallback?,
  _ releaseRefCon: UnsafeMutableRawPointer?, _ pixelBufferAttributes: CFDictionary?,
  _ pixelBufferOut: UnsafeMutablePointer<CVPixelBuffer?>
) -> CVReturn {
  guard let format = VideoFormat(pixelFormatType) else { return kCVReturnInvalidPixelFormat }
  guard width > 0, height > 0 else { return kCVReturnInvalidSize }
  guard format.planarFormat == nil, let layout = format.planes.first,
    bytesPerRow / layout.bytesPerElement >= width
  else { return kCVReturnInvalidArgument }
  let (byteCount, overflow) = bytesPerRow.multipliedReportingOverflow(by: height)
  guard !overflow else { return kCVReturnInvalidSize }
  let plane = CVPixelBuffer.Plane(
    address: baseAddress, width: width, height: height, bytesPerRow: bytesPerRow)
  pixelBufferOut.pointee = CVPixelBuffer(
    pixelFormatType, width: width, height: height, planes: [plane], byteCount: byteCount,
    release: { releaseCallback?(releaseRefCon, baseAddress) })
  return kCVReturnSuccess
}

/// Begins to use the memory; without effect here.
@discardableResult
public func CVPixelBufferLockBaseAddress(
  _ pixelBuffer: CVPixelBuffer, _ lockFlags: CVPixelBufferLockFlags
) -> CVReturn { kCVReturnSuccess }

/// Ends the use of the memory; without effect here.
@discardableResult
public func CVPixelBufferUnlockBaseAddress(
  _ pixelBuffer: CVPixelBuffer, _ unlockFlags: CVPixelBufferLockFlags
) -> CVReturn { kCVReturnSuccess }

/// Returns the number of pixels in a row.
public func CVPixelBufferGetWidth(_ pixelBuffer: CVPixelBuffer) -> Int { pixelBuffer.width }

/// Returns the number of rows.
public func CVPixelBufferGetHeight(_ pixelBuffer: CVPixelBuffer) -> Int { pixelBuffer.height }

/// Returns the format.
public func CVPixelBufferGetPixelFormatType(_ pixelBuffer: CVPixelBuffer) -> OSType {
  pixelBuffer.type
}

/// Returns the address of the first row, of the first plane if there are several.
public func CVPixelBufferGetBaseAddress(_ pixelBuffer: CVPixelBuffer) -> UnsafeMutableRawPointer? {
  pixelBuffer.planes[0].address
}

/// Returns the distance between rows in bytes, of the first plane if there are several.
public func CVPixelBufferGetBytesPerRow(_ pixelBuffer: CVPixelBuffer) -> Int {
  pixelBuffer.planes[0].bytesPerRow
}

/// Returns the number of bytes of all rows.
public func CVPixelBufferGetDataSize(_ pixelBuffer: CVPixelBuffer) -> Int { pixelBuffer.byteCount }

/// Returns whether the format has several planes.
public func CVPixelBufferIsPlanar(_ pixelBuffer: CVPixelBuffer) -> Bool {
  pixelBuffer.planes.count > 1
}

/// Returns the number of planes; 0 for formats that have only one.
public func CVPixelBufferGetPlaneCount(_ pixelBuffer: CVPixelBuffer) -> Int {
  pixelBuffer.planes.count > 1 ? pixelBuffer.planes.count : 0
}

/// Returns the address of a plane; `nil` if there is no such plane.
public func CVPixelBufferGetBaseAddressOfPlane(
  _ pixelBuffer: CVPixelBuffer, _ planeIndex: Int
) -> UnsafeMutableRawPointer? { pixelBuffer.plane(planeIndex)?.address }

/// Returns the number of elements in a row of a plane; 0 if there is no such plane.
public func CVPixelBufferGetWidthOfPlane(_ pixelBuffer: CVPixelBuffer, _ planeIndex: Int) -> Int {
  pixelBuffer.plane(planeIndex)?.width ?? 0
}

/// Returns the number of rows of a plane; 0 if there is no such plane.
public func CVPixelBufferGetHeightOfPlane(_ pixelBuffer: CVPixelBuffer, _ planeIndex: Int) -> Int {
  pixelBuffer.plane(planeIndex)?.height ?? 0
}

/// Returns the distance between rows of a plane in bytes; 0 if there is no such plane.
public func CVPixelBufferGetBytesPerRowOfPlane(
  _ pixelBuffer: CVPixelBuffer, _ planeIndex: Int
) -> Int { pixelBuffer.plane(planeIndex)?.bytesPerRow ?? 0 }

extension CVPixelBuffer {
  fileprivate func plane(_ index: Int) -> Plane? {
    planes.indices.contains(index) ? planes[index] : nil
  }
}
