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

  /// Where the pixels are in the file, of `image` as it was read: it may be changed since.
  private var places: SourcePlaces

  init(
    _ image: Image, format: ImageFormat, sourceSize: PixelSize? = nil, divisor: Double = 1,
    warnings: [String] = []
  ) {
    self.image = image
    self.format = format
    self.sourceSize = sourceSize ?? image.size
    self.warnings = warnings
    places = SourcePlaces(of: image, in: self.sourceSize, divisor: divisor)
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
      places = SourcePlaces(of: image, in: sourceSize, divisor: places.divisor)
    }
  }
}

// These are about `image` as it was read: what is done with it later does not move its places.
extension DecodedImage {
  /// Where a box of `image`, as it was read, is in the upright picture of the file: the same, unless it was read
  /// smaller.
  public func sourceBox(of box: BoundingBox) -> BoundingBox {
    let first = sourcePoint(of: PixelPoint(x: box.left, y: box.top))
    let last = sourcePoint(of: PixelPoint(x: box.right, y: box.bottom))
    return BoundingBox(left: first.x, top: first.y, right: last.x, bottom: last.y)
  }

  /// Where a place of `image`, as it was read, is in the upright picture of the file.
  public func sourcePoint(of point: PixelPoint) -> PixelPoint { places.source(of: point) }

  /// Where a box of the upright picture of the file is in `image` as it was read.
  public func imageBox(of box: BoundingBox) -> BoundingBox { places.image(of: box) }
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
