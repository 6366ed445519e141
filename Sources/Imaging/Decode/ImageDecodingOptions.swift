/// The options for decoding pictures.
public struct ImageDecodingOptions: Hashable, Sendable {
  /// The limits on the size and memory of a picture.
  public var limits = ImageLimits()
  /// Whether recoverable damage is an error rather than a warning.
  public var strict = false
  /// The size that the caller needs; `nil` for full size.
  ///
  /// Larger pictures are reduced while they are decoded, to an upright size of at least this size;
  /// only the reduced picture takes memory. JPEG is decoded at 1/8, 1/4, 3/8 or 1/2 of its size,
  /// which also saves most of the decoding time of large photographs. PNG, PNM and BMP are reduced
  /// by whole factors: each pixel is the mean of a square of pixels. NumPy arrays are read at full
  /// size. `DecodedImage.sourceBox(of:)` maps coordinates to the full-size picture.
  public var minimumSize: PixelSize?
  /// Whether the orientation in the file is ignored.
  public var ignoresOrientation = false

  /// The later use of the picture, if known; it overrides `minimumSize`.
  package var purpose: PicturePurpose?
  /// The supervisor that grants memory and may stop the decoding; `nil` for none.
  package var supervisor: DecodingSupervisor?
  /// Whether the texts in a file are decoded.
  package var readsTexts = true

  /// Creates the default options: full size, default limits, tolerant of damage, with orientation.
  public init() {}
}

extension ImageDecodingOptions {
  /// Returns the minimum size in stored orientation, for a picture of the stored size `size`.
  func minimum(ofStored size: PixelSize, orientation: Orientation = .up) -> PixelSize? {
    // The caller's minimum refers to the upright picture, but the stored picture is reduced.
    let orientation = ignoresOrientation ? .up : orientation
    let upright = orientation.uprightSize(ofStored: size)
    let minimum = purpose.map { $0.minimumSize(of: upright) } ?? minimumSize
    return minimum.map { orientation.isTransposed ? $0.transposed : $0 }
  }

  /// Checks the memory for decoding a picture against the limits before it is allocated, and waits
  /// for the supervisor's grant.
  ///
  /// - Parameters:
  ///   - format: The format of the decoded picture.
  ///   - size: The stored size of the decoded picture.
  ///   - orientation: The orientation of the decoded picture.
  ///   - work: The decoder's working memory, in bytes.
  ///   - whole: The full size of the picture in the file.
  /// - Throws: `ImageError` of kind `tooLarge`, or an error if the decoding was stopped.
  func claim(
    _ format: PixelFormat, _ size: PixelSize, _ orientation: Orientation = .up, work: Int,
    for whole: PixelSize
  ) throws(ImageError) {
    let picture = memory(of: format, size, ignoresOrientation ? .up : orientation)
    let sum = picture.addingSaturating(work)
    try limits.check(memory: sum, for: whole)
    supervisor?.grant(sum, whole)
    try checkStop()
  }

  /// Returns the memory of a decoded picture and of the intermediate pictures that its purpose
  /// needs.
  package func memory(of image: Image) -> Int {
    memory(of: image.format, image.storedSize, image.orientation)
  }

  private func memory(
    of format: PixelFormat, _ size: PixelSize, _ orientation: Orientation
  ) -> Int {
    let rotationBytes = purpose?.rotationBytes(format, size, orientation) ?? 0
    return format.byteCount(of: size).addingSaturating(rotationBytes)
  }

  /// Throws if the picture is no longer wanted.
  func checkStop() throws(ImageError) {
    if let supervisor, supervisor.isStopped() {
      throw ImageError(.unreadable, "reading the picture was stopped")
    }
  }
}

/// A supervisor of the decoding of a picture.
package final class DecodingSupervisor: Sendable, Hashable {
  /// Gets the number of bytes that are about to be allocated, and the stored size of the picture in
  /// the file; may block until there is memory.
  let grant: @Sendable (_ bytes: Int, _ whole: PixelSize) -> Void
  /// Whether the picture is no longer wanted.
  let isStopped: @Sendable () -> Bool

  package init(
    grant: @escaping @Sendable (_ bytes: Int, _ whole: PixelSize) -> Void = { _, _ in },
    isStopped: @escaping @Sendable () -> Bool
  ) {
    self.grant = grant
    self.isStopped = isStopped
  }

  package static func == (one: DecodingSupervisor, other: DecodingSupervisor) -> Bool {
    one === other
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
