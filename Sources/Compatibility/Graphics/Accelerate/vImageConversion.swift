// swift-format-ignore-file: AlwaysUseLowerCamelCase, TypeNamesShouldBeCapitalized

import OcellusImaging

// Pixels of four bytes become those of three, and the reverse.

/// Copies red, green and blue of pixels with alpha first.
@discardableResult
public func vImageConvert_ARGB8888toRGB888(
  _ src: UnsafePointer<vImage_Buffer>, _ dest: UnsafePointer<vImage_Buffer>, _ flags: vImage_Flags
) -> vImage_Error { dropAlpha(of: .argb, src, dest) }

/// Copies red, green and blue of pixels with alpha last.
@discardableResult
public func vImageConvert_RGBA8888toRGB888(
  _ src: UnsafePointer<vImage_Buffer>, _ dest: UnsafePointer<vImage_Buffer>, _ flags: vImage_Flags
) -> vImage_Error { dropAlpha(of: .rgba, src, dest) }

/// Copies red, green and blue of pixels in the order of cameras.
@discardableResult
public func vImageConvert_BGRA8888toRGB888(
  _ src: UnsafePointer<vImage_Buffer>, _ dest: UnsafePointer<vImage_Buffer>, _ flags: vImage_Flags
) -> vImage_Error { dropAlpha(of: .bgra, src, dest) }

/// Adds alpha in front: that of `srcA`, or else the same for all.
@discardableResult
public func vImageConvert_RGB888toARGB8888(
  _ src: UnsafePointer<vImage_Buffer>, _ srcA: UnsafePointer<vImage_Buffer>?, _ alpha: Pixel_8,
  _ dest: UnsafePointer<vImage_Buffer>, _ premultiply: Bool, _ flags: vImage_Flags
) -> vImage_Error { addAlpha(.argb, src, srcA, alpha, dest, premultiply) }

/// Adds alpha at the end: that of `srcA`, or else the same for all.
@discardableResult
public func vImageConvert_RGB888toRGBA8888(
  _ src: UnsafePointer<vImage_Buffer>, _ srcA: UnsafePointer<vImage_Buffer>?, _ alpha: Pixel_8,
  _ dest: UnsafePointer<vImage_Buffer>, _ premultiply: Bool, _ flags: vImage_Flags
) -> vImage_Error { addAlpha(.rgba, src, srcA, alpha, dest, premultiply) }

/// Adds alpha to pixels in the order of cameras: that of `srcA`, or else the same for all.
@discardableResult
public func vImageConvert_RGB888toBGRA8888(
  _ src: UnsafePointer<vImage_Buffer>, _ srcA: UnsafePointer<vImage_Buffer>?, _ alpha: Pixel_8,
  _ dest: UnsafePointer<vImage_Buffer>, _ premultiply: Bool, _ flags: vImage_Flags
) -> vImage_Error { addAlpha(.bgra, src, srcA, alpha, dest, premultiply) }

private func dropAlpha(
  of layout: BitmapLayout, _ source: UnsafePointer<vImage_Buffer>,
  _ result: UnsafePointer<vImage_Buffer>
) -> vImage_Error {
  let (red, green, blue) = (layout.red, layout.green, layout.blue)
  return numbered { () throws(BufferFailure) in
    try eachPixel(source.pointee, 4, result.pointee, 3) { from, to in
      let color = from.loadUnaligned(as: SIMD4<UInt8>.self)
      to.storeBytes(of: color[red], as: UInt8.self)
      to.storeBytes(of: color[green], toByteOffset: 1, as: UInt8.self)
      to.storeBytes(of: color[blue], toByteOffset: 2, as: UInt8.self)
    }
  }
}

private func addAlpha(
  _ layout: BitmapLayout, _ source: UnsafePointer<vImage_Buffer>,
  _ alphas: UnsafePointer<vImage_Buffer>?, _ alpha: UInt8, _ result: UnsafePointer<vImage_Buffer>,
  _ premultiplies: Bool
) -> vImage_Error {
  let (red, green, blue) = (layout.red, layout.green, layout.blue)
  let last = layout.alpha ?? 3
  return numbered { () throws(BufferFailure) in
    if let alphas {
      try alphas.pointee.check(bytesPerPixel: 1)
      try alphas.pointee.check(covers: result.pointee)
    }
    let width = result.pointee.size.width
    var place = 0
    try eachPixel(source.pointee, 3, result.pointee, 4) { from, to in
      let opacity =
        alphas?.pointee.row(place / width).load(fromByteOffset: place % width, as: UInt8.self)
        ?? alpha
      func component(_ index: Int) -> UInt8 {
        let value = from.load(fromByteOffset: index, as: UInt8.self)
        return premultiplies ? value.multiplied(byAlpha: opacity) : value
      }
      var pixel = SIMD4<UInt8>()
      pixel[red] = component(0)
      pixel[green] = component(1)
      pixel[blue] = component(2)
      pixel[last] = opacity
      to.storeBytes(of: pixel, as: SIMD4<UInt8>.self)
      place += 1
    }
  }
}

// Orders, places and types.

/// Puts the bytes of pixels in another order: byte `i` of a result is byte `permuteMap[i]`.
@discardableResult
public func vImagePermuteChannels_ARGB8888(
  _ src: UnsafePointer<vImage_Buffer>, _ dest: UnsafePointer<vImage_Buffer>,
  _ permuteMap: UnsafePointer<UInt8>, _ flags: vImage_Flags
) -> vImage_Error {
  let order = (0..<4).map { Int(permuteMap[$0]) }
  guard order.allSatisfy({ $0 < 4 }) else { return kvImageInvalidParameter }
  let (first, second, third, fourth) = (order[0], order[1], order[2], order[3])
  return numbered { () throws(BufferFailure) in
    try eachPixel(src.pointee, 4, dest.pointee, 4) { from, to in
      let color = from.loadUnaligned(as: SIMD4<UInt8>.self)
      to.storeBytes(
        of: SIMD4(color[first], color[second], color[third], color[fourth]),
        as: SIMD4<UInt8>.self)
    }
  }
}

/// Copies pixels of any size between buffers of different rows.
@discardableResult
public func vImageCopyBuffer(
  _ src: UnsafePointer<vImage_Buffer>, _ dest: UnsafePointer<vImage_Buffer>, _ pixelSize: Int,
  _ flags: vImage_Flags
) -> vImage_Error {
  guard pixelSize > 0 else { return kvImageInvalidParameter }
  return numbered { () throws(BufferFailure) in
    try src.pointee.check(bytesPerPixel: pixelSize)
    try dest.pointee.check(bytesPerPixel: pixelSize)
    try src.pointee.check(covers: dest.pointee)
    for y in 0..<dest.pointee.size.height {
      dest.pointee.row(y).copyMemory(
        from: src.pointee.row(y), byteCount: dest.pointee.size.width * pixelSize)
    }
  }
}

/// Converts bytes to floats: 0 becomes `minFloat`, and 255 becomes `maxFloat`.
@discardableResult
public func vImageConvert_Planar8toPlanarF(
  _ src: UnsafePointer<vImage_Buffer>, _ dest: UnsafePointer<vImage_Buffer>, _ maxFloat: Pixel_F,
  _ minFloat: Pixel_F, _ flags: vImage_Flags
) -> vImage_Error {
  numbered { () throws(BufferFailure) in
    try eachPixel(src.pointee, 1, dest.pointee, 4) { from, to in
      let value = Float(from.load(as: UInt8.self)) * (maxFloat - minFloat) / 255 + minFloat
      to.storeBytes(of: value, as: Float.self)
    }
  }
}

/// Converts floats to bytes: `minFloat` and less become 0, `maxFloat` and more become 255.
@discardableResult
public func vImageConvert_PlanarFtoPlanar8(
  _ src: UnsafePointer<vImage_Buffer>, _ dest: UnsafePointer<vImage_Buffer>, _ maxFloat: Pixel_F,
  _ minFloat: Pixel_F, _ flags: vImage_Flags
) -> vImage_Error {
  numbered { () throws(BufferFailure) in
    try eachPixel(src.pointee, 4, dest.pointee, 1) { from, to in
      let value = (from.loadUnaligned(as: Float.self) - minFloat) * 255 / (maxFloat - minFloat)
      to.storeBytes(
        of: UInt8(Float.minimum(Float.maximum(value, 0), 255).rounded()), as: UInt8.self)
    }
  }
}
