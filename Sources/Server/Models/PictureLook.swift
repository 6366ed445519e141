import OcellusEngine
import OcellusImaging
import OcellusJSON
import OcellusVision

/// What a request wants to know about a picture.
struct PictureQuestion: Sendable {
  /// The part of the picture to look at, in pixels of the upright picture.
  var region: BoundingBox?
  /// The format of an annotated picture as the answer; `nil`: no picture.
  var annotation: ImageEncoding?
  /// The time limit, waiting included.
  var limit: Duration
}

/// What a model says about a picture.
struct PictureAnswer: Sendable {
  /// The published document about the picture, without what is known about the model.
  var document: JSONObject
  /// The annotated picture, if it was wanted.
  var picture: [UInt8]?
}

extension ServedModel {
  /// Looks at the picture in a file, as the command of this model's task does.
  func look(at file: [UInt8], _ question: PictureQuestion) async throws -> PictureAnswer {
    switch task {
    case .detect(let pool):
      return try await look(at: file, question, pool) { recognizer, picture in
        let found = try recognizer.process(picture.image, region: question.region)
        let placed = found.map { $0.placed(in: picture.decoded) }
        return PictureAnswer(
          document: picture.document.objects(placed),
          picture: try picture.drawn(question) { try $0.annotated(with: found) })
      }
    case .label(let pool):
      return try await look(at: file, question, pool) { labeler, picture in
        let categories = try labeler.labels(in: picture.image, region: question.region)
        return PictureAnswer(document: picture.document.labels(categories))
      }
    case .segment(let pool):
      return try await look(at: file, question, pool) { segmenter, picture in
        let segmentation = try segmenter.segmentation(of: picture.image, region: question.region)
        let shares = ClassShare.all(segmentation.pixelCounts, in: picture.decoded.sourceSize)
        return PictureAnswer(
          document: picture.document.classes(shares, labels: segmenter.labels),
          picture: try picture.drawn(question) {
            try $0.annotated(with: segmentation, background: segmenter.background)
          })
      }
    case .pose(let pool):
      return try await look(at: file, question, pool) { finder, picture in
        let poses = try finder.poses(in: picture.image, region: question.region)
        return PictureAnswer(
          document: picture.document.subjects(poses),
          picture: try picture.drawn(question) { try $0.annotated(with: poses) })
      }
    case .embed(let pool):
      return try await look(at: file, question, pool) { embedder, picture in
        let embedding = try embedder.embedding(of: picture.image, region: question.region)
        return PictureAnswer(document: picture.document.embedding(embedding))
      }
    case .tensors:
      throw HTTPError(
        400, "the model '\(name)' takes tensors and no pictures: POST /v2/models/\(name)/infer")
    }
  }

  /// Returns the objects in a picture, and its size.
  func objects(
    in file: [UInt8], _ question: PictureQuestion
  ) async throws -> (size: PixelSize, found: [Detection]) {
    guard case .detect(let pool) = task else {
      throw HTTPError(400, "the model '\(name)' does not find objects: its task is '\(task.name)'")
    }
    return try await look(at: file, question, pool) { recognizer, picture in
      let found = try recognizer.process(picture.image, region: question.region)
      return (picture.decoded.sourceSize, found.map { $0.placed(in: picture.decoded) })
    }
  }

  /// Returns the classes of a picture.
  func categories(of file: [UInt8], _ question: PictureQuestion) async throws -> [Category] {
    guard case .label(let pool) = task else {
      throw HTTPError(
        400, "the model '\(name)' does not classify pictures: its task is '\(task.name)'")
    }
    return try await look(at: file, question, pool) { labeler, picture in
      try labeler.labels(in: picture.image, region: question.region)
    }
  }

  /// Decodes a picture as the commands do, so that the answers are the same to the last digit.
  private func look<Viewer: PooledViewer & PictureViewer, Answer: Sendable>(
    at file: [UInt8], _ question: PictureQuestion, _ pool: ViewerPool<Viewer>,
    _ body: @escaping @Sendable (Viewer, PictureInWork) throws -> Answer
  ) async throws -> Answer {
    let start = ContinuousClock.now
    let isWhole = needsWholePictures || question.region != nil || question.annotation != nil
    return try await pool.withPicture(
      of: .bytes(file), within: question.limit, for: { $0.input.purpose(isWhole: isWhole) }
    ) { viewer, decoded in
      try body(viewer, PictureInWork(decoded: decoded, start: start))
    }
  }
}

extension PictureInput {
  /// The size at which commands decode pictures: twice the size of the network's input.
  fileprivate func purpose(isWhole: Bool) -> PicturePurpose {
    let size = PixelSize(width: 2 * tensor.size.width, height: 2 * tensor.size.height)
    return PicturePurpose(
      size: isWhole ? nil : size, fit: .stretch, region: nil, resampler: resampler)
  }
}

/// A picture that a viewer looks at.
private struct PictureInWork {
  let decoded: DecodedImage
  let start: ContinuousClock.Instant

  var image: Image { decoded.image }

  /// The beginning of the document about the picture.
  var document: PictureDocument {
    PictureDocument(
      path: "-", size: decoded.sourceSize,
      milliseconds: start.duration(to: .now) / .milliseconds(1),
      warnings: decoded.warnings)
  }

  /// Draws an annotated picture, if the question wants one.
  func drawn(_ question: PictureQuestion, _ draw: (Image) throws -> Image) throws -> [UInt8]? {
    try question.annotation.map { try draw(image).encoded(as: $0) }
  }
}
