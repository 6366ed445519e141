import OcellusKernelABI
import OcellusKernelDispatch

extension Image {
  /// Returns the upright picture, resized.
  ///
  /// Channels are resampled independently. Pillow's resamplers premultiply colours by alpha first,
  /// as Pillow does, which keeps invisible colours out of the result.
  public func resized(
    to size: PixelSize, using resampler: Resampler
  ) throws(ImageError) -> Image {
    try ImageLimits().check(size, bytesPerPixel: format.largestPixelBytes)
    let upright = upright()
    guard size != upright.size else { return upright }
    try ImageLimits().check(upright.size)
    var result = Image(uninitialized: format, size: size)
    for index in format.planeLayouts.indices {
      switch format {
      case .gray16: upright.resizePlane(index, as: UInt16.self, to: &result, resampler)
      case .planarFloat: upright.resizePlane(index, as: Float.self, to: &result, resampler)
      default: upright.resizeBytes(ofPlane: index, to: &result, resampler)
      }
    }
    return result
  }

  private func resizeBytes(ofPlane index: Int, to result: inout Image, _ resampler: Resampler) {
    let layout = format.planeLayouts[index]
    let (from, to) = (planes[index], result.planes[index])
    let channels = layout.bytesPerElement
    let plan = ResamplingPlan(
      resampler, from: from.size(channels), to: to.size(channels), channels: channels)
    let isWeighted = channels == 4 && resampler.premultipliesAlpha
    result.withUnsafeMutableBytes { target in
      withUnsafeBytes { memory in
        guard let source = memory.baseAddress, let target = target.baseAddress else { return }
        let rows = PlaneRows(from, memory: memory, start: source)
        for y in 0..<to.rows {
          let row = target + (to.byteOffset + y * to.rowStride)
          if isWeighted {
            let weighted = PremultipliedRows(rows: rows, width: storedSize.width)
            plan.makeRow(y, from: weighted, to: row)
            PremultipliedRows.divide(row, width: to.rowBytes / 4)
          } else {
            plan.makeRow(y, from: rows, to: row)
          }
        }
      }
    }
  }

  private func resizePlane<Sample: PictureSample>(
    _ index: Int, as _: Sample.Type, to result: inout Image, _ resampler: Resampler
  ) {
    let (from, to) = (planes[index], result.planes[index])
    let bytes = MemoryLayout<Sample>.size
    var plane: [Float] = []
    plane.reserveCapacity(storedSize.width * storedSize.height)
    withUnsafeBytes { source in
      for y in 0..<from.rows {
        for x in 0..<storedSize.width {
          let offset = from.byteOffset + y * from.rowStride + x * bytes
          plane.append(source.loadUnaligned(fromByteOffset: offset, as: Sample.self).real)
        }
      }
    }
    let resampling = FloatResampling(resampler, from: from.size(bytes), to: to.size(bytes))
    let resized = resampling.resized(plane) { Sample(nearest: $0).real }
    result.withUnsafeMutableBytes { target in
      for (sampleIndex, value) in resized.enumerated() {
        target.storeBytes(
          of: Sample(nearest: value), toByteOffset: to.byteOffset + sampleIndex * bytes,
          as: Sample.self)
      }
    }
  }
}

/// A sample type other than a byte.
private protocol PictureSample: BitwiseCopyable {
  var real: Float { get }
  init(nearest value: Float)
}

extension UInt16: PictureSample {
  fileprivate var real: Float { Float(self) }
}

extension Float: PictureSample {
  fileprivate var real: Float { self }
  fileprivate init(nearest value: Float) { self = value }
}

extension Resampler {
  fileprivate var premultipliesAlpha: Bool {
    switch self {
    case .pillowBox, .pillowBilinear, .pillowBicubic, .pillowLanczos: true
    default: false
    }
  }
}

extension PixelFormat {
  fileprivate var largestPixelBytes: Int {
    planeLayouts.reduce(0) { $0 + $1.bytesPerElement }
  }
}

extension Image.Plane {
  fileprivate func size(_ elementBytes: Int) -> PixelSize {
    PixelSize(width: rowBytes / elementBytes, height: rows)
  }
}
