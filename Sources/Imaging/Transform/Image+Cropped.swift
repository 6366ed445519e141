extension Image {
  /// The part of the picture in a box of the upright picture, cut where the picture ends.
  ///
  /// The edges of the box move to the nearest pixel edges. Pixels keep their format and their
  /// orientation; but a part of video that begins in the middle of two pixels with one colour
  /// becomes `rgb8`.
  public func cropped(to box: BoundingBox) throws(ImageError) -> Image {
    let part = try PixelRectangle(rounding: box).intersection(PixelRectangle(size))
    guard part.width > 0, part.height > 0 else {
      throw ImageError(.mismatched, "the box \(box) has nothing of a picture of \(size)")
    }
    let stored = orientation.stored(part.box, stored: storedSize)
    let origin = (x: Int(stored.left), y: Int(stored.top))
    let isDivided = format.planeLayouts.contains { layout in
      origin.x % layout.subsampling != 0 || origin.y % layout.subsampling != 0
    }
    guard !isDivided else { return try converted(to: .rgb8).cropped(to: box) }
    return copy(
      x: origin.x, y: origin.y, orientation.isTransposed ? part.size.transposed : part.size)
  }

  /// Copies stored pixels.
  private func copy(x: Int, y: Int, _ size: PixelSize) -> Image {
    var result = Image(uninitialized: format, size: size, orientation: orientation)
    let targets = result.planes
    result.withUnsafeMutableBytes { target in
      withUnsafeBytes { source in
        for (index, layout) in format.planeLayouts.enumerated() {
          let (from, to) = (planes[index], targets[index])
          let first =
            from.byteOffset + y / layout.subsampling * from.rowStride
            + x / layout.subsampling * layout.bytesPerElement
          for row in 0..<to.rows {
            let start = first + row * from.rowStride
            let bytes = UnsafeRawBufferPointer(rebasing: source[start..<start + to.rowBytes])
            UnsafeMutableRawBufferPointer(rebasing: target[(to.byteOffset + row * to.rowStride)...])
              .copyMemory(from: bytes)
          }
        }
      }
    }
    return result
  }
}
