import OcellusPlatform

/// A file format to write, and what can be chosen about it.
public enum ImageEncoding: Hashable, Sendable {
  /// PNG, without loss; the level is zlib's, 0 (fast) to 9 (small).
  case png(compressionLevel: Int = 6)
  /// JPEG, without opacity; the quality goes from 1 to 100.
  case jpeg(quality: Int = 90, subsampling: ChromaSubsampling = .both)
  /// PPM, or PGM for gray; without opacity.
  case pnm
  /// A Windows bitmap of 24 bits a pixel, or 32 with opacity.
  case bmp
  /// A NumPy array.
  case npy

  /// How much of the colour a JPEG file keeps.
  public enum ChromaSubsampling: String, CaseIterable, Hashable, Sendable {
    /// One colour a pixel (4:4:4).
    case none
    /// One colour for two neighbours in a row (4:2:2).
    case horizontal
    /// One colour for a square of four pixels (4:2:0), as cameras do.
    case both
  }

  /// The encoding that the name of a file asks for, by what follows its last dot.
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
  /// The bytes of a file with the upright picture.
  ///
  /// The picture is converted to a format that such files have: opacity is left out where there is
  /// none, 16 bits become eight, and video becomes red, green and blue.
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

  /// The upright picture in one of these formats, with as little lost as they allow.
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

  /// Writes a file with the upright picture, in the format that its name asks for.
  public func write(to path: String) throws(ImageError) {
    try write(to: path, as: try ImageEncoding(fileName: path))
  }

  /// Writes a file with the upright picture.
  public func write(to path: String, as encoding: ImageEncoding) throws(ImageError) {
    let bytes: [UInt8]
    do { bytes = try encoded(as: encoding) } catch { throw error.inFile(path) }
    try ImageError.translating { () throws(FileError) in try FileSystem.write(bytes, to: path) }
  }
}
