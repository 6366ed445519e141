extension Image {
  /// The upright picture, brought to another size; the channels of a pixel are resampled each by
  /// itself, opacity too.
  public func resized(
    to size: PixelSize, using resampler: Resampler
  ) throws(ImageError) -> Image {
    try ImageLimits().check(size, bytesPerPixel: 4)
    let upright = upright()
    guard size != upright.size else { return upright }
    try ImageLimits().check(upright.size)
    var result = Image(uninitialized: format, size: size)
    let (layouts, targets) = (format.planeLayouts, result.planes)
    result.withUnsafeMutableBytes { target in
      upright.withUnsafeBytes { source in
        guard let source = source.baseAddress, let target = target.baseAddress else { return }
        for index in layouts.indices {
          let (from, to) = (upright.planes[index], targets[index])
          let plan = ResamplingPlan(
            resampler, from: from.size(layouts[index]), to: to.size(layouts[index]),
            channels: layouts[index].bytesPerElement)
          let rows = PlaneRows(start: source + from.byteOffset, rowStride: from.rowStride)
          for y in 0..<to.rows {
            plan.makeRow(y, from: rows, to: target + to.byteOffset + y * to.rowStride)
          }
        }
      }
    }
    return result
  }
}

extension Image.Plane {
  fileprivate func size(_ layout: PixelFormat.PlaneLayout) -> PixelSize {
    PixelSize(width: rowBytes / layout.bytesPerElement, height: rows)
  }
}
