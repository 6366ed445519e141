/// A file format to write, and what can be chosen about it.
public enum ImageEncoding: Hashable, Sendable {
  /// PNG, without loss; the level is zlib's, 0 (fast) to 9 (small).
  case png(compressionLevel: Int = 6)
  /// JPEG, without opacity; the quality goes from 1 to 100.
  case jpeg(quality: Int = 90, subsampling: ChromaSubsampling = .both)

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
    default:
      throw ImageError(
        .unsupported, "no picture format is known by '.\(suffix)'; use .png or .jpg",
        path: fileName)
    }
  }
}

extension Image {
  /// The bytes of a file with the upright picture.
  ///
  /// Opacity is left out where the format has none, and of 16 bits the lower eight.
  public func encoded(as encoding: ImageEncoding) throws(ImageError) -> [UInt8] {
    guard storedSize.width > 0, storedSize.height > 0 else {
      throw ImageError(.mismatched, "a picture without pixels cannot be written")
    }
    switch encoding {
    case .png(let level):
      let formats: [PixelFormat] = [.gray8, .gray16, .rgb8, .rgba8]
      return try PNGEncoder(compressionLevel: level).encode(try packed(in: formats))
    case .jpeg(let quality, let subsampling):
      let formats: [PixelFormat] = [.gray8, .rgb8, .rgba8, .bgra8]
      return try JPEGEncoder(quality: quality, subsampling: subsampling)
        .encode(try packed(in: formats))
    }
  }

  /// Writes a file with the upright picture, in the format that its name asks for.
  public func write(to path: String) throws(ImageError) {
    try write(to: path, as: try ImageEncoding(fileName: path))
  }

  /// Writes a file with the upright picture.
  public func write(to path: String, as encoding: ImageEncoding) throws(ImageError) {
    do {
      try PictureFile.write(try encoded(as: encoding), to: path)
    } catch {
      throw error.inFile(path)
    }
  }
}
