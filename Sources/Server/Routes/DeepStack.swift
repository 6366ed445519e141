import OcellusImaging
import OcellusJSON
import OcellusPlatform
import OcellusVision

/// The protocol of DeepStack, which CodeProject.AI kept, and which cameras' software speaks.
///
/// Answers have the members of both: `duration` of DeepStack, the others of CodeProject.AI.
struct DeepStack {
  /// What a request asks for.
  enum Call: Equatable {
    case detection
    case scene
    case custom(model: String)
    case customList
    case ping

    /// Reads the path after `/v1`.
    init?(_ segments: ArraySlice<String>) {
      switch Array(segments) {
      case ["vision", "detection"]: self = .detection
      case ["vision", "scene"]: self = .scene
      case ["vision", "custom", "list"], ["vision", "list-custom"]: self = .customList
      case ["status", "ping"], ["vision", "status"], ["server", "status", "ping"]: self = .ping
      case let path where path.count == 3 && path[0] == "vision" && path[1] == "custom":
        self = .custom(model: path[2])
      default: return nil
      }
    }

    var methods: [String] {
      switch self {
      case .detection, .scene, .custom: ["POST"]
      case .customList, .ping: ["GET", "POST", "HEAD"]
      }
    }
  }

  /// The score below which objects are left out, unless the request says another.
  private static let usualConfidence = 0.4

  private let service: Service

  init(_ service: Service) { self.service = service }

  func answer(to request: HTTPRequest, _ call: Call) async throws -> HTTPResponse {
    let start = MonotonicTime.now
    switch call {
    case .ping:
      return success(
        ["message": "Server is alive", "version": .string(service.configuration.version)], start)
    case .customList:
      try requireToken(request, form: nil)
      let names = service.registry.models.filter { $0.task.name == "detect" }.map(\.name)
      return success(["models": .strings(names), "moduleId": "ocellus"], start)
    case .detection:
      return try await detection(request, by: try detector(), start)
    case .custom(let name):
      return try await detection(request, by: try service.registry.model(name), start)
    case .scene:
      return try await scene(request, start)
    }
  }

  private func detector() throws(HTTPError) -> ServedModel {
    try service.registry.model(for: "detect")
  }

  private func detection(
    _ request: HTTPRequest, by model: ServedModel, _ start: MonotonicTime
  ) async throws -> HTTPResponse {
    let form = try MultipartForm(request)
    try requireToken(request, form: form)
    let confidence = try minimumConfidence(form)
    let (size, found) = try await model.objects(in: try picture(form), question)
    let predictions = found.filter { Double($0.score) >= confidence }
      .sorted { $0.score > $1.score }.map { Self.prediction($0, in: size) }
    let labels = predictions.compactMap { $0.object?["label"]?.string }
    let message = labels.isEmpty ? "No objects found" : "Found \(labels.joined(separator: ", "))"
    return success(
      [
        "message": .string(message), "count": .integer(predictions.count),
        "predictions": .array(predictions), "moduleId": "ocellus",
        "moduleName": .string("Object Detection (\(model.name))"), "code": 200,
        "command": "detect", "executionProvider": "CPU", "canUseGPU": false,
      ], start)
  }

  private func scene(_ request: HTTPRequest, _ start: MonotonicTime) async throws -> HTTPResponse {
    let form = try MultipartForm(request)
    try requireToken(request, form: form)
    let model = try service.registry.model(for: "label")
    let best = try await model.categories(of: try picture(form), question).first
    return success(
      [
        "label": .string(best.map { $0.label ?? "class \($0.index)" } ?? ""),
        "confidence": .number(best.map { Double($0.score) } ?? 0), "code": 200,
      ], start)
  }

  private var question: PictureQuestion {
    PictureQuestion(limit: service.configuration.limits.requestTime)
  }

  private func picture(_ form: MultipartForm) throws(HTTPError) -> [UInt8] {
    guard let file = form.file("image"), !file.isEmpty else {
      throw HTTPError(400, "No valid image file found: send it as the file 'image' of the form")
    }
    return file
  }

  private func minimumConfidence(_ form: MultipartForm) throws(HTTPError) -> Double {
    guard let text = form.text("min_confidence"), !text.isEmpty else { return Self.usualConfidence }
    guard let number = Double(text.trimmed), (0...1).contains(number) else {
      throw HTTPError(400, "min_confidence wants a number from 0 to 1, not '\(text.prefix(100))'")
    }
    return number
  }

  /// Checks the token in a field of the form, unless the header had it.
  private func requireToken(_ request: HTTPRequest, form: MultipartForm?) throws(HTTPError) {
    guard let token = service.configuration.token, !AccessToken.isValid(request, token) else {
      return
    }
    let keys = ["api_key", "admin_key"].compactMap { form?.text($0) ?? request.item($0) }
    guard keys.contains(where: { AccessToken.isEqual($0, token) }) else { throw AccessToken.error }
  }

  /// Makes the JSON of an object; the edges of its box are whole pixels inside the picture.
  static func prediction(_ detection: Detection, in size: PixelSize) -> JSONValue {
    func pixel(_ position: Double, _ limit: Int) -> JSONValue {
      .integer(Int(min(max(position.rounded(), 0), Double(limit))))
    }
    let category = detection.categories.first
    return [
      "confidence": .number(Double(detection.score)),
      "label": .string(category.map { $0.label ?? "class \($0.index)" } ?? "object"),
      "x_min": pixel(detection.box.left, size.width),
      "y_min": pixel(detection.box.top, size.height),
      "x_max": pixel(detection.box.right, size.width),
      "y_max": pixel(detection.box.bottom, size.height),
    ]
  }

  private func success(_ members: JSONObject, _ start: MonotonicTime) -> HTTPResponse {
    let milliseconds = Int(start.millisecondsToNow.rounded())
    return .json(
      .object(
        ["success": true] + members + [
          "processMs": .integer(milliseconds), "inferenceMs": .integer(milliseconds),
          "analysisRoundTripMs": .integer(milliseconds), "duration": .integer(milliseconds),
        ]))
  }

  /// Makes the document about a request that failed.
  static func failure(_ error: HTTPError) -> JSONValue {
    [
      "success": false, "error": .string(error.message), "code": .integer(error.status),
      "duration": 0,
    ]
  }
}
