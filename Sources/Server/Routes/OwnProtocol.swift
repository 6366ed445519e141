import OcellusImaging
import OcellusJSON
import OcellusPlatform
import OcellusVision

/// Our own protocol: the body is a picture, the answer is the JSON that the commands print.
struct OwnProtocol {
  private let service: Service

  init(_ service: Service) { self.service = service }

  private var limit: Duration { service.configuration.limits.requestTime }

  /// Answers what a model says about a picture.
  func picture(_ request: HTTPRequest, _ task: String) async throws -> HTTPResponse {
    try Self.check(request, allowed: ["model", "roi"])
    let model = try model(request, task)
    var question = PictureQuestion(region: try Self.region(request), limit: limit)
    question.annotation = Self.annotation(request)
    if question.annotation != nil, task == "label" || task == "embed" {
      throw HTTPError(406, "/\(task) answers with JSON only: there is nothing to draw")
    }
    let answer = try await model.look(at: try Self.file(request), question)
    if let picture = answer.picture, let type = question.annotation?.mediaType {
      return HTTPResponse(200, type: type, picture)
    }
    return .json(.object(head(task, model) + answer.document))
  }

  /// Answers with the objects in the next frame of a stream, which have identities.
  func track(_ request: HTTPRequest, _ stream: String) async throws -> HTTPResponse {
    guard stream.utf8.count <= 200 else {
      throw HTTPError(400, "the name of a stream has at most 200 bytes")
    }
    try Self.check(request, allowed: ["model", "roi", "time"])
    let model = try model(request, "detect")
    let file = try Self.file(request)
    let start = MonotonicTime.now
    let time = try Self.time(request) ?? .nanoseconds(start.nanoseconds)
    let question = PictureQuestion(region: try Self.region(request), limit: limit)
    let size = Monitor<PixelSize?>(nil)
    let found = try await service.trackers.track(
      in: "\(model.name)/\(stream)", at: time, within: limit
    ) {
      let answer = try await model.objects(in: file, question)
      size.change { $0 = answer.size }
      return answer.found
    }
    let document = PictureDocument(
      path: "-", size: size.change { $0 } ?? PixelSize(width: 0, height: 0),
      milliseconds: start.millisecondsToNow, warnings: [])
    let answer = JSONValue.object(head("detect", model) + document.objects(found))
    service.streams.send(answer, to: stream)
    return .json(answer)
  }

  /// The members that documents begin with, as the lines of `--jsonl` do.
  private func head(_ task: String, _ model: ServedModel) -> JSONObject {
    service.configuration.signature(task) + model.header
      + ["model_warnings": .strings(model.warnings)]
  }

  /// Returns the model that a request names, or the first one for the task.
  private func model(_ request: HTTPRequest, _ task: String) throws(HTTPError) -> ServedModel {
    guard let name = request.item("model") else { return try service.registry.model(for: task) }
    let model = try service.registry.model(name)
    guard model.task.name == task else {
      throw HTTPError(400, "the model '\(name)' has the task '\(model.task.name)', not '\(task)'")
    }
    return model
  }

  /// Refuses parameters that do not exist: a misspelt one would be without effect.
  private static func check(_ request: HTTPRequest, allowed: [String]) throws(HTTPError) {
    guard let (name, _) = request.query.first(where: { !allowed.contains($0.name) }) else { return }
    throw HTTPError(
      400,
      "there is no parameter '\(name.prefix(100))'; there are: \(allowed.joined(separator: ", "))")
  }

  /// Returns the picture's file, which is the body, or a file of a form.
  private static func file(_ request: HTTPRequest) throws(HTTPError) -> [UInt8] {
    guard !request.body.isEmpty else {
      throw HTTPError(
        400, "the body is empty, and should be a picture: curl --data-binary @photo.jpg")
    }
    guard request.mediaType == "multipart/form-data" else { return request.body }
    guard let file = try MultipartForm(request).file("image") else {
      throw HTTPError(400, "the form has no file: curl -F image=@photo.jpg")
    }
    return file
  }

  private static func region(_ request: HTTPRequest) throws(HTTPError) -> BoundingBox? {
    guard let text = request.item("roi") else { return nil }
    let fields = text.split(separator: ",", omittingEmptySubsequences: false)
    let numbers = fields.compactMap { Double($0) }.filter { $0.magnitude < 1e6 }
    guard numbers.count == 4, fields.count == 4, numbers[2] >= 1, numbers[3] >= 1 else {
      throw HTTPError(400, "roi wants LEFT,TOP,WIDTH,HEIGHT in pixels, not '\(text.prefix(100))'")
    }
    return BoundingBox(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
  }

  /// Returns the time of a frame, in seconds since any origin.
  private static func time(_ request: HTTPRequest) throws(HTTPError) -> Duration? {
    guard let text = request.item("time") else { return nil }
    guard let seconds = Double(text), seconds.magnitude < 1e12 else {
      throw HTTPError(400, "time wants seconds, not '\(text.prefix(100))'")
    }
    return .seconds(seconds)
  }

  private static func annotation(_ request: HTTPRequest) -> ImageEncoding? {
    if request.prefers("image/jpeg") { return .jpeg() }
    return request.prefers("image/png") ? .png() : nil
  }
}

extension ImageEncoding {
  fileprivate var mediaType: String {
    if case .png = self { "image/png" } else { "image/jpeg" }
  }
}
