import Synchronization

/// The memory that decoding a picture takes, and the picture's size: what its header reveals.
package struct DecodingCost: Hashable, Sendable {
  /// The most bytes that are in use at any time, besides the file.
  package let bytes: Int
  /// The stored size of the picture in the file.
  package let size: PixelSize

  /// Reads the header of a file, and no pixels.
  ///
  /// - Throws: What decoding the file would throw before it allocates memory.
  package init(
    ofDecoding bytes: [UInt8], options: ImageDecodingOptions
  ) throws(ImageError) {
    // The decoders say what they are about to take; this one is stopped then.
    let claim = Mutex<DecodingCost?>(nil)
    var options = options
    options.supervisor = DecodingSupervisor(
      grant: { bytes, size in claim.withLock { $0 = DecodingCost(bytes: bytes, size: size) } },
      isStopped: { claim.withLock { $0 != nil } })
    do {
      let picture = try DecodedImage(decoding: bytes, options: options)
      self.init(bytes: options.memory(of: picture.image), size: picture.image.storedSize)
    } catch {
      guard let cost = claim.withLock({ $0 }) else { throw error }
      self = cost
    }
  }

  private init(bytes: Int, size: PixelSize) {
    self.bytes = bytes
    self.size = size
  }
}
