extension Image {
  /// Returns the region of the picture in a box of upright coordinates, clipped to the picture.
  ///
  /// The edges of the box are rounded to pixel edges. The result keeps the format and the
  /// orientation. Exception: if the region of an NV12 or I420 picture begins between two pixels
  /// that share a chroma sample, the result is `rgb8`.
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

  /// Copies a rectangle of stored pixels.
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
