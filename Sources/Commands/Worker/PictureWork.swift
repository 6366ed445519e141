import OcellusImaging
import OcellusJSON
import OcellusPlatform
import OcellusVision

/// The task of a worker: it opens a model for a number of threads and answers requests.
protocol WorkerTask {
  /// The source of the model.
  var model: ModelSource { get }
  /// Makes a request handler per thread; all share the model's file and packed weights.
  func answerers(_ count: Int) throws -> [RequestHandler]
}

/// A function that answers a request and returns the input file's bytes and the result.
typealias RequestHandler = @Sendable (WorkRequest) throws -> (input: [UInt8], result: JSONObject)

/// A function that refuses classes with which answers cannot be judged.
typealias ClassCheck = @Sendable (AnsweredClasses) throws -> Void

/// The task of detecting objects in pictures.
struct DetectionWork: WorkerTask {
  let model: ModelSource
  let pictures: RequestedPictures
  let objects: ObjectOptions
  /// Checks the model's classes before the first request.
  var check: ClassCheck?

  func answerers(_ count: Int) throws -> [RequestHandler] {
    let first = try objects.recognizer(model, .init(mode: .singleImage))
    try check?(AnsweredClasses(of: first))
    let recognizers = try [first] + (1..<count).map { _ in try first.duplicate() }
    return recognizers.map { recognizer in
      { request in
        let start = MonotonicTime.now
        let (bytes, picture) = try pictures.picture(
          of: request, for: objects.needsWholePictures ? nil : recognizer)
        let found = try recognizer.process(picture.image, region: pictures.region)
        let report = DetectionReport(
          path: request.name, size: picture.sourceSize,
          detections: found.map { $0.placed(in: picture) },
          milliseconds: start.millisecondsToNow, annotatedPath: nil, ledger: nil, occlusion: nil,
          warnings: picture.warnings)
        return (bytes, report.json)
      }
    }
  }
}

/// The task of classifying pictures.
struct LabelWork: WorkerTask {
  let model: ModelSource
  let pictures: RequestedPictures
  let labeling: LabelOptions
  /// Checks the model's classes before the first request.
  var check: ClassCheck?

  func answerers(_ count: Int) throws -> [RequestHandler] {
    let first = try labeling.labeler(model)
    try check?(AnsweredClasses(of: first))
    let labelers = try [first] + (1..<count).map { _ in try first.duplicate() }
    return labelers.map { labeler in
      { request in
        let start = MonotonicTime.now
        let (bytes, picture) = try pictures.picture(of: request, for: labeler)
        let categories = try labeler.labels(in: picture.image, region: pictures.region)
        let report = LabelReport(
          path: request.name, size: picture.sourceSize, categories: categories,
          milliseconds: start.millisecondsToNow, warnings: picture.warnings)
        return (bytes, report.json)
      }
    }
  }
}

/// Reads the pictures of requests.
struct RequestedPictures: Sendable {
  /// The region of the pictures to be examined.
  let region: BoundingBox?
  let ignoresOrientation: Bool
  /// Whether pictures must be decoded at full size, even if the viewer needs less.
  let isWhole: Bool

  /// Returns the bytes of a picture's file, and the picture at the size that a viewer needs.
  func picture(
    of request: WorkRequest, for viewer: (any PictureViewer)?
  ) throws -> (bytes: [UInt8], picture: DecodedImage) {
    let bytes: [UInt8]
    switch request.source {
    case .file(let path): bytes = try FileSystem.read(path, limit: RequestReader.longest)
    case .contents(let contents): bytes = contents
    case .inputs: throw RunError("a picture is asked for by path or data, not by inputs")
    case nil: throw RunError(request.problem)
    }
    var options = ImageDecodingOptions()
    options.ignoresOrientation = ignoresOrientation
    options.minimumSize = isWhole ? nil : viewer?.input.tensor.size.doubled
    return (bytes, try DecodedImage(decoding: bytes, options: options))
  }
}
