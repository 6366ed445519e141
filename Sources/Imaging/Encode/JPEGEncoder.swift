import CTurboJPEG

/// Writes JPEG files with libjpeg-turbo's TurboJPEG API.
struct JPEGEncoder {
  let quality: Int
  let subsampling: ImageEncoding.ChromaSubsampling

  func encode(_ image: Image) throws(ImageError) -> [UInt8] {
    guard let compressor = tjInitCompress() else { throw failure(nil) }
    defer { tjDestroy(compressor) }
    let size = image.storedSize
    guard max(size.width, size.height) <= 65_500 else {
      throw ImageError(
        .unsupported, "JPEG pictures have sides of at most 65500 pixels, not \(size)")
    }
    let format: TJPF =
      switch image.format {
      case .gray8: TJPF_GRAY
      case .rgb8: TJPF_RGB
      case .rgba8: TJPF_RGBX
      default: TJPF_BGRX
      }
    let sampling = image.format == .gray8 ? TJSAMP_GRAY : self.sampling
    var file: UnsafeMutablePointer<UInt8>?
    var count: UInt = 0
    defer { tjFree(file) }
    let plane = image.planes[0]
    let status = image.withUnsafeBytes { bytes in
      tjCompress2(
        compressor,
        UnsafeRawBufferPointer(rebasing: bytes[plane.byteOffset...])
          .bindMemory(to: UInt8.self).baseAddress,
        Int32(size.width), Int32(plane.rowStride), Int32(size.height),
        format.rawValue, &file, &count, Int32(sampling.rawValue),
        Int32(min(max(quality, 1), 100)), TJFLAG_ACCURATEDCT)
    }
    guard status == 0 else { throw failure(compressor) }
    return Array(UnsafeBufferPointer(start: file, count: Int(count)))
  }

  private var sampling: TJSAMP {
    switch subsampling {
    case .none: TJSAMP_444
    case .horizontal: TJSAMP_422
    case .both: TJSAMP_420
    }
  }

  private func failure(_ compressor: tjhandle?) -> ImageError {
    ImageError(.mismatched, "libjpeg-turbo: \(String(cString: tjGetErrorStr2(compressor)))")
  }
}
