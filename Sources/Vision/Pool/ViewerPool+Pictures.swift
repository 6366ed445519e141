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
