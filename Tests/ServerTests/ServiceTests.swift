import Foundation
import OcellusImaging
import OcellusJSON
import OcellusVision
import Testing

@testable import OcellusServer

/// A drawn picture in which the package's models find something.
private let sample: [UInt8] = {
  let path = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "Models/samples/strawberry.jpg")
  return (try? Array(Data(contentsOf: path))) ?? []
}()

/// The fields of a form with a picture.
private func form(_ fields: [String: String], file: [UInt8]) -> (header: String, body: [UInt8]) {
  var body: [UInt8] = []
  for (name, value) in fields {
    body += Array(
      "--B\r\nContent-Disposition: form-data; name=\"\(name)\"\r\n\r\n\(value)\r\n".utf8)
  }
  body += Array(
    "--B\r\nContent-Disposition: form-data; name=\"image\"; filename=\"image\"\r\n\r\n".utf8)
  body += file + Array("\r\n--B--\r\n".utf8)
  return ("Content-Type: multipart/form-data; boundary=B", body)
}

@Suite(.serialized) struct ServiceTests {
  @Test func answersAreThoseOfADetector() async throws {
    let server = try LiveServer()
    let answer = try await server.ask("POST", "/detect", sample)
    #expect(answer.status == 200)
    let found = try ObjectDetector(options: .init(threads: 1)).detect(in: Image(decoding: sample))
    let size = try Image(decoding: sample).size
    #expect(!found.isEmpty)
    #expect(
      try answer.json["detections"]?.text == JSONValue.array(found.map { $0.json(in: size) }).text)
    #expect(try answer.json["width"]?.integer == size.width)
    #expect(try answer.json["image"]?.string == "-")
  }

  @Test func annotatedPicturesByAccept() async throws {
    let server = try LiveServer()
    for (type, format) in [("image/jpeg", ImageFormat.jpeg), ("image/png", .png)] {
      let answer = try await server.ask("POST", "/detect", sample, headers: ["Accept: \(type)"])
      #expect(answer.status == 200 && answer.headers.contains(type))
      #expect(try DecodedImage(decoding: answer.body).format == format)
    }
    #expect(
      try await server.ask("POST", "/label", sample, headers: ["Accept: image/png"]).status == 406)
  }

  @Test func framesOfAStreamHaveIdentities() async throws {
    let server = try LiveServer()
    var identities: [[Int?]] = []
    for frame in 0..<3 {
      let answer = try await server.ask("POST", "/track/door?time=\(frame)", sample)
      #expect(answer.status == 200)
      let found = try answer.json["detections"]?.array ?? []
      identities.append(found.map { $0.object?["tracking_id"]?.integer })
    }
    #expect(
      identities[1] == identities[2] && !identities[1].isEmpty && !identities[1].contains(nil))
    #expect(try await server.ask("POST", "/track/door?time=0", sample).status == 422)
    #expect(try await server.ask("POST", "/track/door?time=x", sample).status == 400)
  }

  @Test func eventsOfAStream() async throws {
    let server = try LiveServer()
    let listener = try server.connect()
    defer { close(listener) }
    server.send(Array("GET /track/door/events HTTP/1.1\r\nHost: x\r\n\r\n".utf8), to: listener)
    // The answer's headers are there once the listener is known.
    while server.service.streams.listenerCount(of: "door") == 0 {
      try await Task.sleep(for: .milliseconds(1))
    }
    _ = try await server.ask("POST", "/track/door", sample)
    await server.stop()
    let text = String(decoding: await server.read(listener), as: UTF8.self)
    #expect(text.contains("text/event-stream") && text.contains("event: frame\ndata: {"))
  }

  @Test func deepStackAnswers() async throws {
    let server = try LiveServer()
    let (header, body) = form(["min_confidence": "0.3"], file: sample)
    let answer = try await server.ask("POST", "/v1/vision/detection", body, headers: [header])
    #expect(answer.status == 200)
    #expect(try answer.json["success"] == true)
    let detections = try await server.ask("POST", "/detect", sample).json["detections"]?.array ?? []
    let predictions = try answer.json["predictions"]?.array ?? []
    #expect(predictions.count == detections.count { ($0.object?["score"]?.number ?? 0) >= 0.3 })
    let first = try #require(predictions.first?.object)
    #expect(first["confidence"] == detections[0].object?["score"])
    for edge in ["x_min", "y_min", "x_max", "y_max"] { #expect(first[edge]?.integer != nil) }
    #expect(
      try await server.ask("POST", "/v1/vision/custom/detector", body, headers: [header]).status
        == 200)
    #expect(
      try await server.ask("POST", "/v1/vision/scene", body, headers: [header]).json["label"]?
        .string
        != nil)
    #expect(
      try await server.ask("POST", "/v1/vision/custom/list").json["models"]
        == .strings(["detector"]))
  }

  @Test(arguments: [
    (["min_confidence": "x"], "", 400), ([:], "no picture", 415), ([:], "", 400),
  ])
  func deepStackErrors(fields: [String: String], file: String, status: Int) async throws {
    let server = try LiveServer()
    let (header, body) = form(
      fields, file: file.isEmpty && fields.isEmpty ? [] : Array((file.isEmpty ? "x" : file).utf8))
    let answer = try await server.ask("POST", "/v1/vision/detection", body, headers: [header])
    #expect(answer.status == status)
    #expect(try answer.json["success"] == false)
    #expect(try answer.json["error"]?.string?.isEmpty == false)
  }

  @Test func inference() async throws {
    let server = try LiveServer()
    let model = try await server.ask("GET", "/v2/models/labeler").json
    let input = try #require(model["inputs"]?.array?.first?.object)
    let shape = (input["shape"]?.array ?? []).compactMap(\.integer)
    let type = try #require(input["datatype"]?.string)
    let count = shape.map { max($0, 1) }.reduce(1, *)
    let zeros = String(repeating: "0,", count: count - 1) + "0"
    let names =
      "\"name\": \(JSONValue.string(input["name"]?.string ?? "").text), \"datatype\": \"\(type)\""
    let extents = JSONValue.integers(shape.map { max($0, 1) }).text
    let text =
      "{\"id\": \"7\", \"inputs\": [{\(names), \"shape\": \(extents), \"data\": [\(zeros)]}]}"
    let answer = try await server.ask("POST", "/v2/models/labeler/infer", Array(text.utf8))
    #expect(answer.status == 200)
    #expect(try answer.json["id"] == "7")
    let outputs = try answer.json["outputs"]?.array?.first?.object
    let values = try #require(outputs?["data"]?.array)

    let width = try #require(TensorType(rawValue: type)?.width)
    let header = Array(
      "{\"parameters\": {\"binary_data_output\": true}, \"inputs\": [{\(names), \"shape\": \(extents), \"parameters\": {\"binary_data_size\": \(count * width)}}]}"
        .utf8)
    let binary = try await server.ask(
      "POST", "/v2/models/labeler/versions/1/infer",
      header + [UInt8](repeating: 0, count: count * width),
      headers: ["Inference-Header-Content-Length: \(header.count)"])
    #expect(binary.status == 200)
    let line = binary.headers.split(separator: "\r\n").first {
      $0.lowercased().hasPrefix("inference-header-content-length")
    }
    let length = line?.split(separator: " ").last.flatMap { Int($0) } ?? 0
    let output = try JSONParser.parse(Array(binary.body.prefix(length))).object?["outputs"]?.array?
      .first?
      .object
    let size = output?["parameters"]?.object?["binary_data_size"]?.integer
    #expect(size == binary.body.count - length)
    #expect(values.count > 1)
  }

  @Test(arguments: [
    ("", 400), ("[]", 400), ("{}", 400), ("{\"inputs\": [{}]}", 400), ("{\"inputs\": []}", 400),
    ("{\"inputs\": [{\"name\": \"absent\"}]}", 400), ("{\"inputs\"", 400),
  ])
  func brokenInference(text: String, status: Int) async throws {
    let server = try LiveServer()
    let answer = try await server.ask("POST", "/v2/models/detector/infer", Array(text.utf8))
    #expect(answer.status == status)
    #expect(try answer.json["error"]?.string != nil)
  }

  @Test func controlIsOffUnlessAllowed() async throws {
    let closed = try LiveServer()
    #expect(try await closed.ask("POST", "/v2/repository/models/labeler/unload").status == 403)
    let open = try LiveServer { $0.allowsControl = true }
    #expect(try await open.ask("POST", "/v2/repository/models/labeler/unload").status == 200)
    #expect(try await open.ask("GET", "/v2/models/labeler/ready").status == 404)
    #expect(try await open.ask("POST", "/v2/repository/models/labeler/load").status == 200)
    #expect(try await open.ask("GET", "/v2/models/labeler/ready").status == 200)
    #expect(try await open.ask("POST", "/v2/repository/models/absent/load").status == 404)
  }

  @Test func tokens() async throws {
    let server = try LiveServer { $0.token = "secret" }
    #expect(try await server.ask("GET", "/health").status == 200)
    #expect(try await server.ask("GET", "/").status == 200)
    #expect(try await server.ask("GET", "/metrics").status == 401)
    #expect(try await server.ask("POST", "/detect", sample).status == 401)
    let known = ["Authorization: Bearer secret"]
    #expect(try await server.ask("POST", "/detect", sample, headers: known).status == 200)
    for (key, status) in [("secret", 200), ("wrong", 401)] {
      let (header, body) = form(["api_key": key], file: sample)
      #expect(
        try await server.ask("POST", "/v1/vision/detection", body, headers: [header]).status
          == status)
    }
  }

  @Test func errorsSayWhatToDo() async throws {
    let server = try LiveServer { $0.limits.bodyBytes = 1 << 20 }
    let cases: [(String, String, [UInt8], Int)] = [
      ("GET", "/nothing", [], 404), ("GET", "/detect", [], 405), ("POST", "/health", [1], 405),
      ("POST", "/detect", [], 400), ("POST", "/detect", [1, 2, 3], 415),
      ("POST", "/detect", Array(sample.prefix(200)), 422), ("POST", "/segment", sample, 404),
      ("POST", "/detect?model=absent", sample, 404), ("POST", "/detect?model=labeler", sample, 400),
      ("POST", "/detect?roi=1,2", sample, 400), ("POST", "/detect?modle=detector", sample, 400),
      ("POST", "/track/a?at=1", sample, 400), ("POST", "/v1/vision/detection", [], 415),
      ("POST", "/detect", [UInt8](repeating: 0, count: (1 << 20) + 1), 413),
      ("POST", "/v2/models/detector/versions/2/infer", [1], 404),
    ]
    for (method, path, body, status) in cases {
      let answer = try await server.ask(method, path, body)
      #expect(answer.status == status, "\(method) \(path)")
      let message = try answer.json["error"]?.string
      #expect((message?.count ?? 0) > 10, "\(method) \(path)")
    }
  }

  @Test func theRest() async throws {
    let server = try LiveServer()
    #expect(try await server.ask("GET", "/").body.starts(with: Array("<!doctype html>".utf8)))
    let paths =
      try await server.ask("GET", "/openapi.json").json["paths"]?.object?.members.map(\.name) ?? []
    #expect(paths.contains("/detect") && Set(paths).count == paths.count)
    try await everyPartOfAPathIsDescribed(server)
    _ = try await server.ask("POST", "/detect", sample)
    let metrics = String(decoding: try await server.ask("GET", "/metrics").body, as: UTF8.self)
    #expect(metrics.contains("ocellus_requests_total{route=\"/detect\",status=\"200\"} "))
    #expect(metrics.contains("ocellus_request_seconds_bucket{route=\"/detect\",le=\"+Inf\"} "))
    #expect(try await server.ask("HEAD", "/health").body.isEmpty)
  }

  /// OpenAPI wants a parameter for each part of a path in braces.
  private func everyPartOfAPathIsDescribed(_ server: LiveServer) async throws {
    let document = try await server.ask("GET", "/openapi.json").json
    for (path, operations) in (document["paths"]?.object?.members ?? []).map({ ($0.name, $0.value) }
    ) {
      let parts = path.split(separator: "/").filter { $0.hasPrefix("{") }.map {
        $0.dropFirst().dropLast()
      }
      for operation in operations.object?.members ?? [] {
        let parameters = operation.value.object?["parameters"]?.array ?? []
        let names = parameters.compactMap(\.object).filter { $0["in"] == "path" }
          .compactMap { $0["name"]?.string }
        #expect(names == parts.map(String.init), "\(path)")
      }
    }
  }
}
