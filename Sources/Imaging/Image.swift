/// A picture: its pixels, their format, and the orientation in which they are stored.
///
/// An image is a value. Copies share their pixels until one of them is written to.
public struct Image: Sendable {
  /// One plane of pixels.
  public struct Plane: Hashable, Sendable {
    /// The offset of the first row, in bytes from the start of the picture's memory.
    public var byteOffset: Int
    /// The distance from one row to the next, in bytes.
    public var rowStride: Int
    /// The number of bytes of a row that hold pixels, without padding.
    public var rowBytes: Int
    /// The number of rows.
    public var rows: Int
  }

  /// The meaning of the bytes.
  public let format: PixelFormat
  /// The size of the picture as it is stored, before it is rotated upright.
  public let storedSize: PixelSize
  /// The rotation or mirroring that makes the stored picture upright.
  public var orientation: Orientation
  /// The planes of the picture; most formats have one.
  public let planes: [Plane]
  private var storage: PixelStorage

  /// The size of the upright picture.
  public var size: PixelSize { orientation.uprightSize(ofStored: storedSize) }

  /// Creates a picture with undefined pixels and without padding between rows.
  ///
  /// `size` is the size of the stored picture. Check sizes from untrusted input with `ImageLimits`
  /// first.
  public init(uninitialized format: PixelFormat, size: PixelSize, orientation: Orientation = .up) {
    precondition(size.width >= 0 && size.height >= 0, "a picture of size \(size)")
    self.format = format
    self.storedSize = size
    self.orientation = orientation
    var planes: [Plane] = []
    var byteCount = 0
    for layout in format.planeLayouts {
      let rowBytes = layout.elements(covering: size.width) * layout.bytesPerElement
      let plane = Plane(
        byteOffset: byteCount, rowStride: rowBytes, rowBytes: rowBytes,
        rows: layout.elements(covering: size.height))
      byteCount += plane.rowStride * plane.rows
      planes.append(plane)
    }
    self.planes = planes
    storage = PixelStorage(byteCount: byteCount)
  }

  /// Creates a picture from `bytes`, which hold plane after plane without padding between rows.
  public init(
    _ format: PixelFormat, size: PixelSize, orientation: Orientation = .up, bytes: [UInt8]
  ) throws(ImageError) {
    self.init(uninitialized: format, size: size, orientation: orientation)
    guard bytes.count == byteCount else {
      throw ImageError(
        .mismatched,
        "a \(format) picture of \(size) has \(byteCount) bytes; \(bytes.count) were given")
    }
    storage.bytes.copyBytes(from: bytes)
  }

  /// Creates a picture in the caller's memory, which is not copied.
  ///
  /// The memory must stay valid and unchanged for as long as the picture or a copy of it is in use.
  /// The picture keeps `owner`, if given, alive for that time. Writing to the picture copies it
  /// first. `planes` gives the offset and the row stride of each plane; with `nil`, the planes
  /// follow each other without padding.
  public init(
    borrowing bytes: UnsafeRawBufferPointer, _ format: PixelFormat, size: PixelSize,
    planes: [(byteOffset: Int, rowStride: Int)]? = nil, orientation: Orientation = .up,
    owner: AnyObject? = nil
  ) throws(ImageError) {
    self.format = format
    self.storedSize = size
    self.orientation = orientation
    self.planes = try Self.planes(of: format, size: size, at: planes, in: bytes.count)
    storage = PixelStorage(borrowing: bytes, owner: owner)
  }

  /// The number of bytes up to the end of the last pixel, including the padding between rows.
  public var byteCount: Int {
    planes.map { $0.byteOffset + max($0.rows - 1, 0) * $0.rowStride + $0.rowBytes }.max() ?? 0
  }

  /// Calls `body` with the memory of the picture, whose layout is given by `planes`.
  public func withUnsafeBytes<Result, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    defer { withExtendedLifetime(storage) {} }
    return try body(UnsafeRawBufferPointer(storage.bytes))
  }

  /// Calls `body` with the writable memory of the picture, whose layout is given by `planes`.
  public mutating func withUnsafeMutableBytes<Result, Failure: Error>(
    _ body: (UnsafeMutableRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    if !storage.isOwned || !isKnownUniquelyReferenced(&storage) {
      let copy = PixelStorage(byteCount: byteCount)
      copy.bytes.copyMemory(from: UnsafeRawBufferPointer(rebasing: storage.bytes[..<byteCount]))
      storage = copy
    }
    defer { withExtendedLifetime(storage) {} }
    return try body(storage.bytes)
  }

  private static func planes(
    of format: PixelFormat, size: PixelSize, at positions: [(byteOffset: Int, rowStride: Int)]?,
    in byteCount: Int
  ) throws(ImageError) -> [Plane] {
    let layouts = format.planeLayouts
    try ImageLimits().check(size)
    guard positions == nil || positions?.count == layouts.count else {
      throw ImageError(
        .mismatched,
        "a \(format) picture has \(layouts.count) planes; \(positions?.count ?? 0) were given")
    }
    var planes: [Plane] = []
    var end = 0
    for (index, layout) in layouts.enumerated() {
      let rowBytes = layout.elements(covering: size.width) * layout.bytesPerElement
      let position = positions?[index] ?? (byteOffset: end, rowStride: rowBytes)
      let rows = layout.elements(covering: size.height)
      guard position.byteOffset >= 0, position.rowStride >= rowBytes, position.rowStride <= 1 << 32,
        position.byteOffset <= byteCount
      else {
        throw ImageError(
          .mismatched,
          "plane \(index) begins at byte \(position.byteOffset) with rows of \(position.rowStride) bytes; "
            + "its rows have \(rowBytes) bytes of pixels")
      }
      end = position.byteOffset + (rows - 1) * position.rowStride + rowBytes
      guard end <= byteCount else {
        throw ImageError(
          .mismatched, "plane \(index) ends at byte \(end) of a buffer of \(byteCount) bytes")
      }
      planes.append(
        Plane(
          byteOffset: position.byteOffset, rowStride: position.rowStride, rowBytes: rowBytes,
          rows: rows))
      // A plane without a given offset begins directly after the one before it.
      end = min(position.byteOffset + rows * position.rowStride, byteCount)
    }
    return planes
  }
}
