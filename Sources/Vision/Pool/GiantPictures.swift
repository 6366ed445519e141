import OcellusImaging
import OcellusPlatform

/// The large pictures of a pool, which have threads and memory of their own.
///
/// Decoding one can take seconds; viewers that did it would keep small pictures waiting.
struct GiantPictures<Viewer: PooledViewer>: Sendable {
  /// The calls that wait for a thread.
  let queue: Monitor<CallQueue<Viewer>>
  /// The memory for decoding.
  let memory: ByteBudget

  init(count: Int, memory: Int) {
    queue = Monitor(CallQueue<Viewer>(viewers: count))
    // No more are decoded in advance than the viewers will take next.
    self.memory = ByteBudget(limit: max(memory, 0), maximumParts: 2 * count)
  }
}

/// A decoded picture, with its part of the memory.
struct GiantPicture: Sendable {
  let picture: DecodedImage
  let memory: ByteBudget.Part
}

extension DecodingCost {
  /// Whether decoding the picture takes so much time or memory that no viewer should do it.
  var isGiant: Bool {
    bytes > 8 << 20 || Double(size.width) * Double(size.height) > Double(1 << 24)
  }
}

extension PoolRequest {
  /// Creates a request that decodes a picture, and then runs `work` with it.
  static func reading(
    _ file: PictureFile, _ options: ImageDecodingOptions, at place: WaitingPlace,
    _ work: @escaping @Sendable (Viewer, DecodedImage) throws -> Answer
  ) -> PoolRequest {
    PoolRequest(at: place, readsFirst: true) { viewer, request in
      let picture = try request.decode(file, options)
      try request.beginRunning(on: viewer)
      return try work(viewer, picture)
    }
  }

  private func decode(
    _ file: PictureFile, _ options: ImageDecodingOptions
  ) throws(ImageError) -> DecodedImage {
    var options = options
    options.supervisor = DecodingSupervisor(isStopped: { self.isOver })
    // The room is in use as long as the bytes, even if nobody waits for the picture any more.
    defer { withExtendedLifetime(file) {} }
    return try DecodedImage(decoding: file.bytes, options: options)
  }
}

extension PoolRequest where Answer == GiantPicture {
  /// Creates a request that decodes a picture within its part of the memory.
  static func decoding(
    _ file: PictureFile, _ options: ImageDecodingOptions, memory: ByteBudget.Part
  ) -> PoolRequest {
    PoolRequest(readsFirst: true) { _, request in
      let picture = try request.decode(file, options)
      file.drop()
      // While the picture waits for a viewer, others may use the memory that only decoding needed.
      memory.reduce(to: options.memory(of: picture.image))
      return GiantPicture(picture: picture, memory: memory)
    }
  }
}
