// swift-format-ignore-file: AlwaysUseLowerCamelCase, TypeNamesShouldBeCapitalized

import OcellusImaging

/// Resizes pixels of four bytes, each of which is a channel of its own, with Lanczos' three lobes.
///
/// As with the original's resampler, shrinking mixes all pixels that a new one covers.
@discardableResult
public func vImageScale_ARGB8888(
  _ src: UnsafePointer<vImage_Buffer>, _ dest: UnsafePointer<vImage_Buffer>,
  _ tempBuffer: UnsafeMutableRawPointer?, _ flags: vImage_Flags
) -> vImage_Error { scale(src, dest, flags, bytesPerPixel: 4, format: .gray8) }

/// Resizes bytes with Lanczos' three lobes.
@discardableResult
public func vImageScale_Planar8(
  _ src: UnsafePointer<vImage_Buffer>, _ dest: UnsafePointer<vImage_Buffer>,
  _ tempBuffer: UnsafeMutableRawPointer?, _ flags: vImage_Flags
) -> vImage_Error { scale(src, dest, flags, bytesPerPixel: 1, format: .gray8) }

/// Resizes floats with Lanczos' three lobes.
@discardableResult
public func vImageScale_PlanarF(
  _ src: UnsafePointer<vImage_Buffer>, _ dest: UnsafePointer<vImage_Buffer>,
  _ tempBuffer: UnsafeMutableRawPointer?, _ flags: vImage_Flags
) -> vImage_Error {
  scale(src, dest, flags, bytesPerPixel: 4, format: .planarFloat(channels: 1))
}

private func scale(
  _ source: UnsafePointer<vImage_Buffer>, _ result: UnsafePointer<vImage_Buffer>,
  _ flags: vImage_Flags, bytesPerPixel: Int, format: PixelFormat
) -> vImage_Error {
  // No working memory of the caller's is needed.
  if flags & vImage_Flags(kvImageGetTempBufferSize) != 0 { return 0 }
  return numbered { () throws(BufferFailure) in
    try source.pointee.check(bytesPerPixel: bytesPerPixel)
    try result.pointee.check(bytesPerPixel: bytesPerPixel)
    let sampleBytes = format.planeLayouts[0].bytesPerElement
    for channel in 0..<bytesPerPixel / sampleBytes {
      let step = bytesPerPixel / sampleBytes
      let plane = source.pointee.channel(channel, of: step, sampleBytes, format)
      do {
        let scaled = try plane.resized(to: result.pointee.size, using: .pillowLanczos)
        result.pointee.setChannel(channel, of: step, sampleBytes, to: scaled)
      } catch {
        throw BufferFailure(code: kvImageMemoryAllocationError)
      }
    }
  }
}

extension vImage_Buffer {
  /// Returns a picture with one of the channels, which lie next to each other.
  fileprivate func channel(
    _ channel: Int, of count: Int, _ bytes: Int, _ format: PixelFormat
  ) -> Image {
    var plane = Image(uninitialized: format, size: size)
    plane.withUnsafeMutableBytes { target in
      guard let target = target.baseAddress else { return }
      for y in 0..<size.height {
        let (from, to) = (row(y) + channel * bytes, target + y * size.width * bytes)
        if count == 1 {
          to.copyMemory(from: from, byteCount: size.width * bytes)
        } else {
          for x in 0..<size.width {
            to.storeBytes(
              of: from.load(fromByteOffset: x * count, as: UInt8.self), toByteOffset: x,
              as: UInt8.self)
          }
        }
      }
    }
    return plane
  }

  /// Writes a picture to one of the channels.
  fileprivate func setChannel(_ channel: Int, of count: Int, _ bytes: Int, to plane: Image) {
    plane.withUnsafeBytes { source in
      guard let source = source.baseAddress.map({ $0 + plane.planes[0].byteOffset }) else { return }
      for y in 0..<size.height {
        let (from, to) = (source + y * plane.planes[0].rowStride, row(y) + channel * bytes)
        if count == 1 {
          to.copyMemory(from: from, byteCount: size.width * bytes)
        } else {
          for x in 0..<size.width {
            to.storeBytes(
              of: from.load(fromByteOffset: x, as: UInt8.self), toByteOffset: x * count,
              as: UInt8.self)
          }
        }
      }
    }
  }
}

/// The rotation of `vImageRotate90_ARGB8888` that copies.
public let kRotate0DegreesClockwise: UInt8 = 0
/// The rotation of `vImageRotate90_ARGB8888` by a quarter turn.
public let kRotate90DegreesCounterClockwise: UInt8 = 1
/// The rotation of `vImageRotate90_ARGB8888` by half a turn.
public let kRotate180DegreesClockwise: UInt8 = 2
/// The rotation of `vImageRotate90_ARGB8888` by a quarter turn.
public let kRotate90DegreesClockwise: UInt8 = 3
/// The rotation of `vImageRotate90_ARGB8888` by a quarter turn.
public let kRotate270DegreesClockwise: UInt8 = 1

/// Exchanges left and right in pixels of four bytes.
@discardableResult
public func vImageHorizontalReflect_ARGB8888(
  _ src: UnsafePointer<vImage_Buffer>, _ dest: UnsafePointer<vImage_Buffer>, _ flags: vImage_Flags
) -> vImage_Error { turn(src, dest, .upMirrored) }

/// Exchanges top and bottom in pixels of four bytes.
@discardableResult
public func vImageVerticalReflect_ARGB8888(
  _ src: UnsafePointer<vImage_Buffer>, _ dest: UnsafePointer<vImage_Buffer>, _ flags: vImage_Flags
) -> vImage_Error { turn(src, dest, .downMirrored) }

/// Rotates pixels of four bytes; the result has exactly the size of the rotated source.
@discardableResult
public func vImageRotate90_ARGB8888(
  _ src: UnsafePointer<vImage_Buffer>, _ dest: UnsafePointer<vImage_Buffer>,
  _ rotationConstant: UInt8, _ backColor: UnsafePointer<UInt8>, _ flags: vImage_Flags
) -> vImage_Error {
  let orientations: [Orientation] = [.up, .left, .down, .right]
  guard rotationConstant < 4 else { return kvImageInvalidParameter }
  return turn(src, dest, orientations[Int(rotationConstant)])
}

private func turn(
  _ source: UnsafePointer<vImage_Buffer>, _ result: UnsafePointer<vImage_Buffer>,
  _ orientation: Orientation
) -> vImage_Error {
  numbered { () throws(BufferFailure) in
    try source.pointee.check(bytesPerPixel: 4)
    try result.pointee.check(bytesPerPixel: 4)
    var picture = BitmapLayout.rgba.picture(
      at: source.pointee.data, bytesPerRow: source.pointee.rowBytes, size: source.pointee.size)
    picture.orientation = orientation
    guard picture.size == result.pointee.size else {
      throw BufferFailure(code: kvImageBufferSizeMismatch)
    }
    do {
      try BitmapLayout.rgba.write(
        picture.upright(), to: result.pointee.data, bytesPerRow: result.pointee.rowBytes)
    } catch {
      throw BufferFailure(code: kvImageInvalidParameter)
    }
  }
}
