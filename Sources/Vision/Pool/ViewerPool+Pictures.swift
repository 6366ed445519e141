import OcellusEngine
public import OcellusImaging

extension ViewerPool where Viewer == ObjectDetector {
  /// The objects in a picture; see `ObjectDetector.detect(in:region:)`.
  public func detect(
    in image: Image, region: BoundingBox? = nil, within limit: Duration? = nil
  ) async throws -> [Detection] {
    try await withViewer(within: limit) { try $0.detect(in: image, region: region) }
  }

  /// The objects in each of several pictures, which all viewers share out among themselves.
  ///
  /// The first error ends all.
  public func detect(
    in images: [Image], within limit: Duration? = nil
  ) async throws -> [[Detection]] {
    try await shareOut(images, within: limit) { try $0.detect(in: $1) }
  }
}

extension ViewerPool where Viewer == ImageLabeler {
  /// What is in a picture; see `ImageLabeler.labels(in:region:)`.
  public func labels(
    in image: Image, region: BoundingBox? = nil, within limit: Duration? = nil
  ) async throws -> [Category] {
    try await withViewer(within: limit) { try $0.labels(in: image, region: region) }
  }

  /// What is in each of several pictures, which all viewers share out among themselves.
  ///
  /// The first error ends all.
  public func labels(
    in images: [Image], within limit: Duration? = nil
  ) async throws -> [[Category]] {
    try await shareOut(images, within: limit) { try $0.labels(in: $1) }
  }
}

extension ViewerPool where Viewer == ObjectRecognizer {
  /// The objects in a picture, or in the next of a stream; see
  /// `ObjectRecognizer.process(_:at:region:)`.
  ///
  /// A picture of a stream that is stopped leaves the identities as they were.
  public func process(
    _ image: Image, at time: Duration = .zero, region: BoundingBox? = nil,
    within limit: Duration? = nil
  ) async throws -> [Detection] {
    try await withViewer(within: limit) { try $0.process(image, at: time, region: region) }
  }
}

// Pictures as files.
extension ViewerPool where Viewer == ObjectDetector {
  /// The objects in a picture file, in pixels of the whole upright picture; see
  /// `ObjectDetector.detect(in:region:)`.
  ///
  /// The picture is read by one of the pool's threads, as large as twice what the network takes of it, or
  /// whole where the detector looks at tiles or computes exactly. Reading takes no more memory than
  /// ``Options`` allow, and counts for the deadline.
  /// - Throws: Besides what `withViewer` throws, `ImageError` for what is wrong with the picture; of kind
  ///   `tooLarge` where it costs too much.
  public func detect(
    decoding bytes: [UInt8], region: BoundingBox? = nil, within limit: Duration? = nil
  ) async throws -> [Detection] {
    try await withPicture(decoding: bytes, within: limit, for: { $0.purpose(region) }) {
      detector, picture in
      let part = region.map { picture.imageBox(of: $0) }
      return try detector.detect(in: picture.image, region: part).map { $0.placed(in: picture) }
    }
  }
}

extension ViewerPool where Viewer == ImageLabeler {
  /// What is in a picture file; see `ImageLabeler.labels(in:region:)`.
  ///
  /// `region` is in pixels of the whole upright picture, which is read by one of the pool's threads, as large
  /// as twice what the network takes of it. Reading takes no more memory than ``Options`` allow, and counts for
  /// the deadline.
  /// - Throws: Besides what `withViewer` throws, `ImageError` for what is wrong with the picture.
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
  /// The objects in a picture file, or in the next of a stream, in pixels of the whole upright picture; see
  /// `ObjectRecognizer.process(_:at:region:)`.
  ///
  /// The picture is read by one of the pool's threads: whole, as objects are to be followed or named, or as
  /// large as the detector needs it. Reading takes no more memory than ``Options`` allow, and counts for the
  /// deadline.
  /// - Throws: Besides what `withViewer` throws, `ImageError` for what is wrong with the picture.
  public func process(
    decoding bytes: [UInt8], at time: Duration = .zero, region: BoundingBox? = nil,
    within limit: Duration? = nil
  ) async throws -> [Detection] {
    try await withPicture(decoding: bytes, within: limit, for: { $0.purpose(region) }) {
      recognizer, picture in
      let part = region.map { picture.imageBox(of: $0) }
      return try recognizer.process(picture.image, at: time, region: part).map {
        $0.placed(in: picture)
      }
    }
  }
}

extension PictureInput {
  /// What a picture is read for of which this input sees a part: at twice its size nothing is lost that it could
  /// see.
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
  /// A classifier sees parts of the picture, and tracks are in its pixels.
  fileprivate func purpose(_ region: BoundingBox?) -> PicturePurpose {
    detector.purpose(region, wholly: options.mode == .stream || classifier != nil)
  }
}

extension Detection {
  /// The same in pixels of the whole picture.
  package func placed(in picture: DecodedImage) -> Detection {
    var placed = self
    placed.box = picture.sourceBox(of: box)
    placed.keypoints = keypoints.map { picture.sourcePoint(of: $0) }
    return placed
  }
}
