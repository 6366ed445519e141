import OcellusPlatform

/// A file format for writing, with its options.
public enum ImageEncoding: Hashable, Sendable {
  /// PNG, lossless; the level is zlib's, from 0 (fast) to 9 (small).
  case png(compressionLevel: Int = 6)
  /// JPEG, without alpha; the quality is from 1 to 100.
  case jpeg(quality: Int = 90, subsampling: ChromaSubsampling = .both)
  /// PPM, or PGM for gray; without alpha.
  case pnm
  /// A Windows bitmap of 24 bits per pixel, or 32 bits with alpha.
  case bmp
  /// A NumPy array.
  case npy

  /// The chroma subsampling of a JPEG file.
  public enum ChromaSubsampling: String, CaseIterable, Hashable, Sendable {
    /// One chroma sample per pixel (4:4:4).
    case none
    /// One chroma sample per two horizontal neighbours (4:2:2).
    case horizontal
    /// One chroma sample per 2×2 pixels (4:2:0), as in most cameras.
    case both
  }

  /// Chooses the encoding from the extension of a file name.
  public init(fileName: String) throws(ImageError) {
    let suffix = fileName.split(separator: "/").last?.split(separator: ".").dropFirst().last ?? ""
    switch suffix.lowercased() {
    case "png": self = .png()
    case "jpg", "jpeg": self = .jpeg()
    case "ppm", "pgm", "pnm": self = .pnm
    case "bmp": self = .bmp
    case "npy": self = .npy
    default:
      throw ImageError(
        .unsupported,
        "no picture format is known by '.\(suffix)'; use .png, .jpg, .ppm, .pgm, .bmp or .npy",
        path: fileName)
    }
  }
}

extension Image {
  /// Returns the bytes of a file with the upright picture.
  ///
  /// The picture is converted to a format that the file format supports: alpha is dropped, 16-bit
  /// gray and floats become bytes, and YCbCr becomes RGB, where necessary.
  public func encoded(as encoding: ImageEncoding) throws(ImageError) -> [UInt8] {
    guard storedSize.width > 0, storedSize.height > 0 else {
      throw ImageError(.mismatched, "a picture without pixels cannot be written")
    }
    switch encoding {
    case .png(let level):
      return try PNGEncoder(compressionLevel: level)
        .encode(try prepared(for: [.gray8, .gray16, .rgb8, .rgba8]))
    case .jpeg(let quality, let subsampling):
      return try JPEGEncoder(quality: quality, subsampling: subsampling)
        .encode(try prepared(for: [.gray8, .rgb8, .rgba8, .bgra8]))
    case .pnm:
      return PNMEncoder().encode(try prepared(for: [.gray8, .gray16, .rgb8]))
    case .bmp:
      return try BMPEncoder().encode(try prepared(for: [.rgb8, .rgba8]))
    case .npy:
      let floats = [1, 3, 4].map { PixelFormat.planarFloat(channels: $0) }
      return NPYEncoder().encode(try prepared(for: [.gray8, .gray16, .rgb8, .rgba8] + floats))
    }
  }

  /// Returns the upright picture in the one of these formats that loses least.
  private func prepared(for formats: [PixelFormat]) throws(ImageError) -> Image {
    if formats.contains(format) { return upright() }
    let preferred: PixelFormat =
      switch format {
      case .gray8, .gray16, .planarFloat(channels: 1): .gray8
      case .rgba8, .bgra8, .planarFloat(channels: 4): .rgba8
      case .rgb8, .nv12, .i420, .planarFloat: .rgb8
      }
    return try converted(to: formats.contains(preferred) ? preferred : .rgb8).upright()
  }

  /// Writes the upright picture to a file, in the format of the file name's extension.
  public func write(to path: String) throws(ImageError) {
    try write(to: path, as: try ImageEncoding(fileName: path))
  }

  /// Writes the upright picture to a file.
  public func write(to path: String, as encoding: ImageEncoding) throws(ImageError) {
    let bytes: [UInt8]
    do { bytes = try encoded(as: encoding) } catch { throw error.inFile(path) }
    try ImageError.translating { () throws(FileError) in try FileSystem.write(bytes, to: path) }
  }
}
