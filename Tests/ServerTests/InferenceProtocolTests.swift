import Foundation
import OcellusJSON
import OcellusTestSupport
import Testing

@testable import OcellusServer

/// What clients of Triton ask for beside tensors in JSON.
@Suite(.serialized) struct InferenceProtocolTests {
  /// A request to the labeler with zeros for its input.
  private static func request(to server: LiveServer) async throws -> [UInt8] {
    let model = try await server.ask("GET", "/v2/models/labeler").json
    var input = try #require(model["inputs"]?.array?.first?.object)
    let shape = (input["shape"]?.array ?? []).compactMap(\.integer).map { max($0, 1) }
    input = ["name": input["name"] ?? "", "datatype": input["datatype"] ?? ""]
    input.append("shape", .integers(shape))
    input.append("data", .integers([Int](repeating: 0, count: shape.reduce(1, *))))
    return Array(JSONValue.object(["inputs": [.object(input)]]).text.utf8)
  }

  private static func gzip(_ bytes: [UInt8]) throws -> [UInt8] {
    let folder = try TemporaryDirectory()
    let path = "\(folder.path)/file"
    try Data(bytes).write(to: URL(filePath: path))
    _ = try Executable.errors(of: "gzip", [path], with: "")
    return Array(try Data(contentsOf: URL(filePath: path + ".gz")))
  }

  @Test(.enabled(if: Executable.isThere("gzip"), "no gzip"))
  func compressedBodiesAreTaken() async throws {
    let server = try LiveServer()
    let plain = try await Self.request(to: server)
    let path = "/v2/models/labeler/infer"
    let expected = try await server.ask("POST", path, plain)
    #expect(expected.status == 200)
    for coding in ["gzip", "x-gzip", "GZIP"] {
      let answer = try await server.ask(
        "POST", path, try Self.gzip(plain), headers: ["Content-Encoding: \(coding)"])
      #expect(answer.body == expected.body)
    }
    let identity = try await server.ask(
      "POST", path, plain, headers: ["Content-Encoding: identity"])
    #expect(identity.body == expected.body)
  }

  @Test(.enabled(if: Executable.isThere("gzip"), "no gzip"))
  func decompressedBodiesHaveTheSameLimits() async throws {
    let bomb = try Self.gzip([UInt8](repeating: 0x20, count: 2 << 20))
    let server = try LiveServer { $0.limits.bodyBytes = 1 << 20 }
    let gzip = ["Content-Encoding: gzip"]
    #expect(try await server.ask("POST", "/detect", bomb, headers: gzip).status == 413)
    let full = try LiveServer { $0.limits.allBodyBytes = 1 << 20 }
    #expect(try await full.ask("POST", "/detect", bomb, headers: gzip).status == 503)
    // What was refused takes no room.
    #expect(try await full.ask("POST", "/detect", [1, 2, 3]).status == 415)
  }

  @Test(arguments: [
    ("br", 415), ("gzip, gzip", 415), ("gzip", 400), ("deflate", 400),
  ])
  func wrongCompression(coding: String, status: Int) async throws {
    let server = try LiveServer()
    for path in ["/detect", "/v2/models/labeler/infer", "/v1/vision/detection"] {
      let answer = try await server.ask(
        "POST", path, [1, 2, 3], headers: ["Content-Encoding: \(coding)"])
      #expect(answer.status == status)
      #expect(answer.headers.contains("Accept-Encoding: gzip, deflate") == (status == 415))
      #expect(try answer.json["error"]?.string?.isEmpty == false)
    }
  }

  @Test func statisticsCountRequests() async throws {
    let server = try LiveServer()
    let body = try await Self.request(to: server)
    for path in ["/v2/models/labeler/infer", "/v2/models/labeler/versions/1/infer"] {
      #expect(try await server.ask("POST", path, body).status == 200)
    }
    #expect(try await server.ask("POST", "/v2/models/labeler/infer", [1]).status == 400)
    let answer = try await server.ask("GET", "/v2/models/labeler/stats").json
    let model = try #require(answer["model_stats"]?.array?.first?.object)
    #expect(model["name"] == "labeler" && model["inference_count"] == 2)
    #expect((model["last_inference"]?.integer ?? 0) > 1_700_000_000_000)
    let times = try #require(model["inference_stats"]?.object)
    for (name, count) in [
      ("success", 2), ("fail", 1), ("queue", 2), ("compute_input", 2), ("compute_infer", 2),
      ("compute_output", 2),
    ] {
      #expect(times[name]?.object?["count"]?.integer == count, "\(name)")
      #expect((times[name]?.object?["ns"]?.integer ?? 0) > 0, "\(name)")
    }
    let all = try await server.ask("GET", "/v2/models/stats").json["model_stats"]?.array
    #expect(all?.map { $0.object?["name"] } == ["detector", "labeler"])
    #expect(all?.first?.object?["inference_count"] == 0)
    #expect(try await server.ask("GET", "/v2/models/absent/stats").status == 404)
    #expect(try await server.ask("GET", "/v2/models/labeler/versions/2/stats").status == 404)
  }

  @Test(arguments: [
    ("GET", "trace/setting"), ("POST", "models/labeler/trace/setting"), ("GET", "logging"),
    ("POST", "logging"), ("POST", "systemsharedmemory/region/x/register"),
    ("POST", "cudasharedmemory/unregister"),
  ])
  func whatIsLackingIsSaid(method: String, path: String) async throws {
    let server = try LiveServer()
    let answer = try await server.ask(method, "/v2/" + path, method == "POST" ? [1] : [])
    #expect(answer.status == 501)
    #expect(try answer.json["error"]?.string?.hasPrefix("the server ") == true)
  }

  @Test func sharedMemoryIsEmpty() async throws {
    let server = try LiveServer()
    for path in ["systemsharedmemory/status", "cudasharedmemory/region/x/status"] {
      let answer = try await server.ask("GET", "/v2/" + path)
      #expect(answer.status == 200 && answer.body == Array("[]\n".utf8))
    }
  }
}
