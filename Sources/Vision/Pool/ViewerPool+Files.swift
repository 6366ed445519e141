import OcellusEngine
public import OcellusImaging

extension ViewerPool where Viewer == ObjectDetector {
  /// Returns the objects in a picture file, in pixels of the whole upright picture.
  ///
  /// The pool decodes the picture, at up to twice the size of the network's input, or in full size
  /// if the detector uses tiles or exact numerics. It takes no more memory than ``Options`` allow,
  /// and decoding counts towards the deadline. See `ObjectDetector.detect(in:region:)`.
  /// - Throws: Besides the errors of `withViewer`, `ImageError` when the picture cannot be decoded;
  ///   its kind is `tooLarge` when the picture exceeds the limits.
  public func detect(
    decoding bytes: [UInt8], region: BoundingBox? = nil, within limit: Duration? = nil
  ) async throws -> [Detection] {
    try await detect(.bytes(bytes), region: region, within: limit)
  }

  /// Returns the objects in a picture file that is received when there is room for it.
  ///
  /// It is like `detect(decoding:region:within:)`, but the call waits before it holds the file, so
  /// many calls take no more memory than a few.
  /// - Parameters:
  ///   - byteCount: The announced size of the file, such as the `Content-Length` of a request.
  ///   - region: The region to search; `nil`: the whole picture.
  ///   - limit: The time limit of the whole call.
  ///   - receive: Receives the file. It must end early when its task is cancelled.
  /// - Returns: The objects, in pixels of the whole upright picture.
  /// - Throws: The errors of `detect(decoding:region:within:)` and of `receive`.
  public func detect(
    receiving byteCount: Int, region: BoundingBox? = nil, within limit: Duration? = nil,
    _ receive: @escaping @Sendable () async throws -> [UInt8]
  ) async throws -> [Detection] {
    try await detect(.announced(byteCount, receive), region: region, within: limit)
  }

  private func detect(
    _ source: PictureSource, region: BoundingBox?, within limit: Duration?
  ) async throws -> [Detection] {
    try await withPicture(of: source, within: limit, for: { $0.purpose(region) }) {
      detector, picture in
      let imageRegion = region.map { picture.imageBox(of: $0) }
      return try detector.detect(in: picture.image, region: imageRegion).map {
        $0.placed(in: picture)
      }
    }
  }
}

extension ViewerPool where Viewer == ImageLabeler {
  /// Classifies a picture file; see `ImageLabeler.labels(in:region:)`.
  ///
  /// `region` is in pixels of the whole upright picture. The pool decodes the picture, at up to
  /// twice the size of the network's input. It takes no more memory than ``Options`` allow, and
  /// decoding counts towards the deadline.
  /// - Throws: Besides the errors of `withViewer`, `ImageError` when the picture cannot be decoded.
  public func labels(
    decoding bytes: [UInt8], region: BoundingBox? = nil, within limit: Duration? = nil
  ) async throws -> [Category] {
    try await labels(.bytes(bytes), region: region, within: limit)
  }

  /// Classifies a picture file that is received when there is room for it.
  ///
  /// The parameters are those of `detect(receiving:region:within:_:)`.
  public func labels(
    receiving byteCount: Int, region: BoundingBox? = nil, within limit: Duration? = nil,
    _ receive: @escaping @Sendable () async throws -> [UInt8]
  ) async throws -> [Category] {
    try await labels(.announced(byteCount, receive), region: region, within: limit)
  }

  private func labels(
    _ source: PictureSource, region: BoundingBox?, within limit: Duration?
  ) async throws -> [Category] {
    try await withPicture(of: source, within: limit, for: { $0.purpose(region) }) {
      labeler, picture in
      try labeler.labels(in: picture.image, region: region.map { picture.imageBox(of: $0) })
    }
  }
}

extension ViewerPool where Viewer == ObjectRecognizer {
  /// Returns the objects in a single picture file or in the next picture of a stream.
  ///
  /// The results are in pixels of the whole upright picture; see
  /// `ObjectRecognizer.process(_:at:region:)`. The pool decodes the picture: in full size if objects
  /// are tracked or classified, else as large as the detector needs it. It takes no more memory than
  /// ``Options`` allow, and decoding counts towards the deadline.
  /// - Throws: Besides the errors of `withViewer`, `ImageError` when the picture cannot be decoded.
  public func process(
    decoding bytes: [UInt8], at time: Duration = .zero, region: BoundingBox? = nil,
    within limit: Duration? = nil
  ) async throws -> [Detection] {
    try await withPicture(of: .bytes(bytes), within: limit, for: { $0.purpose(region) }) {
      recognizer, picture in
      let imageRegion = region.map { picture.imageBox(of: $0) }
      return try recognizer.process(picture.image, at: time, region: imageRegion).map {
        $0.placed(in: picture)
      }
    }
  }
}

extension PictureInput {
  /// Returns the size to decode a picture at, for this input to see a region of it.
  ///
  /// At twice the input's size, the decoded picture keeps all detail that the input can show.
  fileprivate func purpose(_ region: BoundingBox?, wholly: Bool) -> PicturePurpose {
    let size = PixelSize(width: 2 * tensor.size.width, height: 2 * tensor.size.height)
    return PicturePurpose(
      size: wholly ? nil : size, fit: fit, region: region, resampler: resampler)
  }
}

extension ObjectDetector {
  fileprivate func purpose(_ region: BoundingBox?, wholly: Bool = false) -> PicturePurpose {
    let isWhole = wholly || options.tiling != nil || options.numerics.areOfficial
    return input.purpose(region, wholly: isWhole)
  }
}

extension ImageLabeler {
  fileprivate func purpose(_ region: BoundingBox?) -> PicturePurpose {
    input.purpose(region, wholly: options.numerics.areOfficial)
  }
}

extension ObjectRecognizer {
  /// Streams and classifiers need the full size, for tracks in its pixels and for crops.
  fileprivate func purpose(_ region: BoundingBox?) -> PicturePurpose {
    detector.purpose(region, wholly: options.mode == .stream || classifier != nil)
  }
}

extension Detection {
  /// Returns the detection in pixels of the whole picture.
  package func placed(in picture: DecodedImage) -> Detection {
    var placed = self
    placed.box = picture.sourceBox(of: box)
    placed.keypoints = keypoints.map { picture.sourcePoint(of: $0) }
    placed.imageSize = picture.sourceSize
    return placed
  }
}
