import OcellusPlatform

/// A picture that was read, and what else its file says.
public struct DecodedImage: Sendable {
  /// The picture; its pixels are as they are stored, and `orientation` says how to turn them.
  public var image: Image
  /// The format of the file.
  public var format: ImageFormat
  /// The size of the upright picture in the file, of which `image` may be a fraction.
  public var sourceSize: PixelSize
  /// Damage that could be read past, and what was ignored.
  public var warnings: [String] = []
  /// The texts in the file, in their order (PNG).
  public var texts: [Text] = []

  /// A text that comes with a picture.
  public struct Text: Hashable, Sendable {
    /// What the text is about, such as `Title` or `Author`.
    public var keyword: String
    /// The text.
    public var text: String
  }

  /// The pixels of the file for one pixel of `image`, in each direction.
  private let divisor: Double

  init(
    _ image: Image, format: ImageFormat, sourceSize: PixelSize? = nil, divisor: Double = 1,
    warnings: [String] = []
  ) {
    self.image = image
    self.divisor = divisor
    self.format = format
    self.sourceSize = sourceSize ?? image.size
    self.warnings = warnings
  }
}

extension DecodedImage {
  /// Reads a picture file; its format is known by its content.
  public init(contentsOf path: String, options: ImageDecodingOptions = .init()) throws(ImageError) {
    let bytes = try ImageError.translating { () throws(FileError) in
      try FileSystem.read(path, limit: options.limits.maximumBytes)
    }
    do {
      self = try DecodedImage(decoding: bytes, options: options)
    } catch {
      throw error.inFile(path)
    }
  }

  /// Reads a picture from the bytes of its file.
  public init(decoding bytes: [UInt8], options: ImageDecodingOptions = .init()) throws(ImageError) {
    self = try bytes.withUnsafeBytes { bytes in
      Result { () throws(ImageError) in try DecodedImage(decoding: bytes, options: options) }
    }.get()
  }

  /// Reads a picture from the bytes of its file.
  public init(
    decoding bytes: UnsafeRawBufferPointer, options: ImageDecodingOptions = .init()
  ) throws(ImageError) {
    switch try ImageFormat(detecting: bytes) {
    case .png: self = try PNGDecoder(bytes, options: options).decode()
    case .jpeg: self = try JPEGDecoder(bytes, options: options).decode()
    case .pnm: self = try PNMDecoder(bytes, options: options).decode()
    case .bmp: self = try BMPDecoder(bytes, options: options).decode()
    case .npy: self = try NPYDecoder(bytes, options: options).decode()
    }
    if options.ignoresOrientation {
      if image.orientation.isTransposed { sourceSize = sourceSize.transposed }
      image.orientation = .up
    }
  }
}

// A pixel of a picture that was read smaller is a square of pixels of the file, of which the last ones, as
// they are stored, may lie partly beyond its edges.
extension DecodedImage {
  /// Where a box of `image` is in the upright picture of the file: the same, unless it was read smaller.
  public func sourceBox(of box: BoundingBox) -> BoundingBox {
    let first = sourcePoint(of: PixelPoint(x: box.left, y: box.top))
    let last = sourcePoint(of: PixelPoint(x: box.right, y: box.bottom))
    return BoundingBox(left: first.x, top: first.y, right: last.x, bottom: last.y)
  }

  /// Where a place of `image` is in the upright picture of the file.
  public func sourcePoint(of point: PixelPoint) -> PixelPoint {
    PixelPoint(
      x: source(point.x, across: true), y: source(point.y, across: false))
  }

  /// Where a box of the upright picture of the file is in `image`.
  public func imageBox(of box: BoundingBox) -> BoundingBox {
    let front = (x: excess(across: true), y: excess(across: false))
    return box.offset(x: front.x, y: front.y).scaled(x: 1 / divisor, y: 1 / divisor)
  }

  private func source(_ place: Double, across: Bool) -> Double {
    let source = place * divisor - excess(across: across)
    let length = Double(across ? sourceSize.width : sourceSize.height)
    // The edges of one are the edges of the other.
    let isInside = (0...Double(across ? image.size.width : image.size.height)).contains(place)
    return isInside ? min(max(source, 0), length) : source
  }

  /// How far the first square of a row or column of the upright picture reaches beyond its edge.
  private func excess(across: Bool) -> Double {
    let (image, source) =
      across
      ? (self.image.size.width, sourceSize.width) : (self.image.size.height, sourceSize.height)
    let orientation = self.image.orientation
    let isTurned = across ? orientation.flipsHorizontally : orientation.flipsVertically
    return isTurned ? Double(image) * divisor - Double(source) : 0
  }
}

extension Image {
  /// Reads a picture file; its format is known by its content.
  ///
  /// `DecodedImage` says more: what was wrong with the file, and how large the whole picture is.
  public init(contentsOf path: String, options: ImageDecodingOptions = .init()) throws(ImageError) {
    self = try DecodedImage(contentsOf: path, options: options).image
  }

  /// Reads a picture from the bytes of its file.
  public init(decoding bytes: [UInt8], options: ImageDecodingOptions = .init()) throws(ImageError) {
    self = try DecodedImage(decoding: bytes, options: options).image
  }

  /// Reads a picture from the bytes of its file.
  public init(
    decoding bytes: UnsafeRawBufferPointer, options: ImageDecodingOptions = .init()
  ) throws(ImageError) {
    self = try DecodedImage(decoding: bytes, options: options).image
  }
}
