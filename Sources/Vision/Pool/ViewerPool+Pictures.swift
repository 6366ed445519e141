import OcellusEngine
public import OcellusImaging

extension ViewerPool where Viewer == ObjectDetector {
  /// Returns the objects in a picture; see `ObjectDetector.detect(in:region:)`.
  public func detect(
    in image: Image, region: BoundingBox? = nil, within limit: Duration? = nil
  ) async throws -> [Detection] {
    try await withViewer(within: limit) { try $0.detect(in: image, region: region) }
  }

  /// Returns the objects in each of several pictures, which are distributed among all viewers.
  ///
  /// The first error ends the whole call.
  public func detect(
    in images: [Image], within limit: Duration? = nil
  ) async throws -> [[Detection]] {
    try await distribute(images, within: limit) { try $0.detect(in: $1) }
  }
}

extension ViewerPool where Viewer == ImageLabeler {
  /// Classifies a picture; see `ImageLabeler.labels(in:region:)`.
  public func labels(
    in image: Image, region: BoundingBox? = nil, within limit: Duration? = nil
  ) async throws -> [Category] {
    try await withViewer(within: limit) { try $0.labels(in: image, region: region) }
  }

  /// Classifies each of several pictures, which are distributed among all viewers.
  ///
  /// The first error ends the whole call.
  public func labels(
    in images: [Image], within limit: Duration? = nil
  ) async throws -> [[Category]] {
    try await distribute(images, within: limit) { try $0.labels(in: $1) }
  }
}

extension ViewerPool where Viewer == ObjectRecognizer {
  /// Returns the objects in a single picture or in the next picture of a stream.
  ///
  /// See `ObjectRecognizer.process(_:at:region:)`. Stopping the call leaves the stream's identities
  /// as they were.
  public func process(
    _ image: Image, at time: Duration = .zero, region: BoundingBox? = nil,
    within limit: Duration? = nil
  ) async throws -> [Detection] {
    try await withViewer(within: limit) { try $0.process(image, at: time, region: region) }
  }
}

// Pictures given as files.
extension ViewerPool where Viewer == ObjectDetector {
  /// Returns the objects in a picture file, in pixels of the whole upright picture.
  ///
  /// One of the pool's threads decodes the picture, at up to twice the size of the network's input,
  /// or in full size if the detector uses tiles or exact numerics. Decoding takes no more memory
  /// than ``Options`` allow, and counts towards the deadline. See
  /// `ObjectDetector.detect(in:region:)`.
  /// - Throws: Besides the errors of `withViewer`, `ImageError` when the picture cannot be decoded;
  ///   its kind is `tooLarge` when the picture exceeds the limits.
  public func detect(
    decoding bytes: [UInt8], region: BoundingBox? = nil, within limit: Duration? = nil
  ) async throws -> [Detection] {
    try await withPicture(decoding: bytes, within: limit, for: { $0.purpose(region) }) {
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
  /// `region` is in pixels of the whole upright picture. One of the pool's threads decodes the
  /// picture, at up to twice the size of the network's input. Decoding takes no more memory than
  /// ``Options`` allow, and counts towards the deadline.
  /// - Throws: Besides the errors of `withViewer`, `ImageError` when the picture cannot be decoded.
  public func labels(
    decoding bytes: [UInt8], region: BoundingBox? = nil, within limit: Duration? = nil
  ) async throws -> [Category] {
    try await withPicture(decoding: bytes, within: limit, for: { $0.purpose(region) }) {
      labeler, picture in
      try labeler.labels(in: picture.image, region: region.map { picture.imageBox(of: $0) })
    }
  }
}

extension ViewerPool where Viewer == ObjectRecognizer {
  /// Returns the objects in a single picture file or in the next picture of a stream.
  ///
  /// The results are in pixels of the whole upright picture; see
  /// `ObjectRecognizer.process(_:at:region:)`. One of the pool's threads decodes the picture: in
  /// full size if objects are tracked or classified, else as large as the detector needs it.
  /// Decoding takes no more memory than ``Options`` allow, and counts towards the deadline.
  /// - Throws: Besides the errors of `withViewer`, `ImageError` when the picture cannot be decoded.
  public func process(
    decoding bytes: [UInt8], at time: Duration = .zero, region: BoundingBox? = nil,
    within limit: Duration? = nil
  ) async throws -> [Detection] {
    try await withPicture(decoding: bytes, within: limit, for: { $0.purpose(region) }) {
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
    let isWhole = wholly || options.tiling != nil || options.numerics == .exact
    return input.purpose(region, wholly: isWhole)
  }
}

extension ImageLabeler {
  fileprivate func purpose(_ region: BoundingBox?) -> PicturePurpose {
    input.purpose(region, wholly: options.numerics == .exact)
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
    return placed
  }
}
