import OcellusPlatform

/// A decoded picture, with further information from its file.
public struct DecodedImage: Sendable {
  /// The picture as it is stored; its `orientation` tells how to make it upright.
  public var image: Image
  /// The format of the file.
  public var format: ImageFormat
  /// The size of the upright picture in the file, from which `image` may be reduced.
  public var sourceSize: PixelSize
  /// Warnings about recoverable damage and ignored content.
  public var warnings: [String] = []
  /// The texts in a PNG file, in order.
  public var texts: [Text] = []

  /// A text that is stored with a picture.
  public struct Text: Hashable, Sendable {
    /// The subject of the text, such as `Title` or `Author`.
    public var keyword: String
    /// The text.
    public var text: String
  }

  /// The mapping between `image`, as it was decoded, and the picture in the file.
  private var coordinates: SourceCoordinates

  init(
    _ image: Image, format: ImageFormat, sourceSize: PixelSize? = nil, divisor: Double = 1,
    warnings: [String] = []
  ) {
    self.image = image
    self.format = format
    self.sourceSize = sourceSize ?? image.size
    self.warnings = warnings
    coordinates = SourceCoordinates(of: image, in: self.sourceSize, divisor: divisor)
  }
}

extension DecodedImage {
  /// Reads a picture file; the format is detected from the content.
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

  /// Decodes a picture from the bytes of its file.
  public init(decoding bytes: [UInt8], options: ImageDecodingOptions = .init()) throws(ImageError) {
    self = try bytes.withUnsafeBytes { bytes in
      Result { () throws(ImageError) in try DecodedImage(decoding: bytes, options: options) }
    }.get()
  }

  /// Decodes a picture from the bytes of its file.
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
      coordinates = SourceCoordinates(of: image, in: sourceSize, divisor: coordinates.divisor)
    }
  }
}

// These functions refer to `image` as it was decoded; later changes of `image` do not affect them.
extension DecodedImage {
  /// Returns the box in the upright picture of the file that corresponds to a box of `image`.
  ///
  /// The two are equal unless the picture was reduced while it was decoded.
  public func sourceBox(of box: BoundingBox) -> BoundingBox {
    let first = sourcePoint(of: PixelPoint(x: box.left, y: box.top))
    let last = sourcePoint(of: PixelPoint(x: box.right, y: box.bottom))
    return BoundingBox(left: first.x, top: first.y, right: last.x, bottom: last.y)
  }

  /// Returns the point in the upright picture of the file that corresponds to a point of `image`.
  public func sourcePoint(of point: PixelPoint) -> PixelPoint { coordinates.source(of: point) }

  /// Returns the box of `image` that corresponds to a box in the upright picture of the file.
  public func imageBox(of box: BoundingBox) -> BoundingBox { coordinates.image(of: box) }
}

extension Image {
  /// Reads a picture file; the format is detected from the content.
  ///
  /// Use `DecodedImage` to also get the warnings and the size of the whole picture.
  public init(contentsOf path: String, options: ImageDecodingOptions = .init()) throws(ImageError) {
    self = try DecodedImage(contentsOf: path, options: options).image
  }

  /// Decodes a picture from the bytes of its file.
  public init(decoding bytes: [UInt8], options: ImageDecodingOptions = .init()) throws(ImageError) {
    self = try DecodedImage(decoding: bytes, options: options).image
  }

  /// Decodes a picture from the bytes of its file.
  public init(
    decoding bytes: UnsafeRawBufferPointer, options: ImageDecodingOptions = .init()
  ) throws(ImageError) {
    self = try DecodedImage(decoding: bytes, options: options).image
  }
}
