/// How pictures are read.
public struct ImageDecodingOptions: Hashable, Sendable {
  /// What a picture may cost.
  public var limits = ImageLimits()
  /// Whether damage that leaves something to be seen is an error rather than a warning.
  public var strict = false
  /// The size that the caller needs; `nil`: all there is.
  ///
  /// Larger pictures are read at a fraction of their size, which still gives an upright picture of at least
  /// this size, and only the memory of that is taken: JPEG at an eighth, a quarter, 3/8 or half of its size,
  /// which saves most of the time of large photographs as well; PNG, PNM and BMP so that a pixel is the mean of
  /// a square of two by two, three by three or more. NumPy arrays are read whole.
  /// `DecodedImage.sourceBox(of:)` says where a place is in the whole picture.
  public var minimumSize: PixelSize?
  /// Whether the picture is taken as it is stored, however the camera was held.
  public var ignoresOrientation = false

  /// What the picture is read for, where that says more than `minimumSize`.
  package var purpose: PicturePurpose?
  /// Who grants the memory, and may want to stop; `nil`: nobody.
  package var supervisor: DecodingSupervisor?
  /// Whether texts that come with a picture are wanted.
  package var readsTexts = true

  /// Whole pictures, with the usual limits, as far as they can be read, and with their orientation.
  public init() {}
}

extension ImageDecodingOptions {
  /// The size that the stored picture needs to have at least, of which all there is has the size `size`.
  func minimum(ofStored size: PixelSize, orientation: Orientation = .up) -> PixelSize? {
    // The caller thinks of the picture as it stands upright; it is made smaller as it is stored.
    let orientation = ignoresOrientation ? .up : orientation
    let upright = orientation.uprightSize(ofStored: size)
    let minimum = purpose.map { $0.minimumSize(of: upright) } ?? minimumSize
    return minimum.map { orientation.isTransposed ? $0.transposed : $0 }
  }

  /// Checks that reading a picture takes no more memory than it may, before it is taken.
  ///
  /// - Parameters:
  ///   - format: The format of the picture that is read.
  ///   - size: Its size as it is read.
  ///   - orientation: How it has to be turned.
  ///   - work: What the decoder takes besides.
  ///   - whole: The size of the picture in the file.
  /// - Throws: `ImageError` of kind `tooLarge`, or that nobody waits for the picture any more.
  func claim(
    _ format: PixelFormat, _ size: PixelSize, _ orientation: Orientation = .up, work: Int,
    for whole: PixelSize
  ) throws(ImageError) {
    let picture = memory(of: format, size, ignoresOrientation ? .up : orientation)
    let sum = picture.addingOrMost(work)
    try limits.check(memory: sum, for: whole)
    supervisor?.grant(sum)
    try checkStop()
  }

  /// The memory that a picture takes once it is read, with what is made of it on the way to its purpose.
  package func memory(of image: Image) -> Int {
    memory(of: image.format, image.storedSize, image.orientation)
  }

  private func memory(
    of format: PixelFormat, _ size: PixelSize, _ orientation: Orientation
  ) -> Int {
    let turning = purpose?.turningBytes(format, size, orientation) ?? 0
    return format.byteCount(of: size).addingOrMost(turning)
  }

  /// Ends the reading of a picture that nobody waits for any more.
  func checkStop() throws(ImageError) {
    if let supervisor, supervisor.isStopped() {
      throw ImageError(.unreadable, "reading the picture was stopped")
    }
  }
}

/// Who watches over the reading of a picture.
package final class DecodingSupervisor: Sendable, Hashable {
  /// Returns when so much memory may be taken, or when nobody waits for the picture any more.
  let grant: @Sendable (Int) -> Void
  /// Whether nobody waits for the picture any more.
  let isStopped: @Sendable () -> Bool

  package init(
    grant: @escaping @Sendable (Int) -> Void, isStopped: @escaping @Sendable () -> Bool
  ) {
    self.grant = grant
    self.isStopped = isStopped
  }

  package static func == (one: DecodingSupervisor, other: DecodingSupervisor) -> Bool {
    one === other
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
