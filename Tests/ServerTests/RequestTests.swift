import Testing

@testable import OcellusServer

@Suite struct RequestTests {
  @Test(arguments: [
    ("127.0.0.1:5000", "127.0.0.1:5000", true), ("[::1]:80", "[::1]:80", true),
    ("0.0.0.0:5000", "0.0.0.0:5000", false), ("unix:/run/x", "unix:/run/x", true),
    ("localhost:0", "localhost:0", true),
  ])
  func addresses(text: String, printed: String, isLocal: Bool) throws {
    let address = try #require(ListenAddress(text))
    #expect(address.description == printed)
    #expect(address.isLocal == isLocal)
  }

  @Test(arguments: ["", "5000", "localhost", "localhost:", ":5000", "::1:80", "unix:", "a:70000"])
  func wrongAddresses(text: String) {
    #expect(ListenAddress(text) == nil)
  }

  @Test(arguments: [
    ("image/jpeg", true), ("image/png, image/jpeg;q=0.8", true), ("application/json", false),
    ("application/json, image/jpeg", false), ("*/*", false), ("", false),
  ])
  func preferredTypes(accept: String, isPreferred: Bool) {
    let request = HTTPRequest("POST", "/", headers: [("accept", accept)])
    #expect(request.prefers("image/jpeg") == isPreferred)
  }

  @Test(arguments: [
    ("GET", "/", Route.page), ("POST", "/detect", .picture(task: "detect")),
    ("POST", "/track/door", .track(stream: "door")),
    ("GET", "/track/door/events", .trackEvents(stream: "door")),
    ("POST", "/v1/vision/detection", .deepStack(.detection)),
    ("POST", "/v1/vision/custom/cam", .deepStack(.custom(model: "cam"))),
    ("POST", "/v1/vision/custom/list", .deepStack(.customList)),
    ("GET", "/v1/status/ping", .deepStack(.ping)),
    ("GET", "/v2", .inference(.server)),
    ("GET", "/v2/health/ready", .inference(.ready)),
    ("GET", "/v2/models/a", .inference(.model("a", version: nil))),
    ("POST", "/v2/models/a/versions/1/infer", .inference(.infer("a", version: "1"))),
    ("POST", "/v2/repository/index", .inference(.repositoryIndex)),
    ("POST", "/v2/repository/models/a/load", .inference(.load("a"))),
  ])
  func routes(method: String, path: String, route: Route) {
    #expect(Route(HTTPRequest(method, path)) == route)
  }

  @Test(arguments: [
    "/x", "/detect/x", "/v1", "/v1/vision/face", "/v2/models", "/v2/models/a/b", "/v3", "/track",
    "/v2/repository/models/a/drop", "/health/x",
  ])
  func unknownPaths(path: String) {
    #expect(Route(HTTPRequest("POST", path)) == nil)
  }

  @Test func labelsOfPathsHaveNoPartOfClients() {
    for path in ["/v2/models/secret/infer", "/track/secret", "/secret", "/v1/vision/custom/secret"]
    {
      #expect(!Route.label(of: path).contains("secret"))
    }
  }

  @Test func tokens() {
    func request(_ header: String) -> HTTPRequest {
      HTTPRequest("GET", "/", headers: [("authorization", header)])
    }
    #expect(AccessToken.isValid(request("Bearer abc"), "abc"))
    #expect(AccessToken.isValid(request("bearer  abc"), "abc"))
    for wrong in ["abc", "Bearer ab", "Bearer abcd", "Bearer ", "Basic abc", ""] {
      #expect(!AccessToken.isValid(request(wrong), "abc"))
    }
  }
}

@Suite struct ModelSpecificationTests {
  @Test func allKeys() throws {
    let one = try ModelSpecification(
      "cam=/m/a.tflite,labels=l.txt,task=detect,classifier=b.tflite,threshold=0.5")
    #expect(one.name == "cam" && one.source == "/m/a.tflite" && one.labels == "l.txt")
    #expect(one.task == "detect" && one.classifier == "b.tflite" && one.threshold == 0.5)
  }

  @Test(arguments: [
    ("a/b.tflite", "b", "a/b.tflite"), ("export", "export", "export"),
    ("n=store-name", "n", "store-name"), ("./x=y.tflite", "x=y", "./x=y.tflite"),
  ])
  func names(text: String, name: String, source: String) {
    if name.contains("=") {
      #expect(throws: ServerError.self) { try ModelSpecification(text) }
    } else {
      let specification = try? ModelSpecification(text)
      #expect(specification?.name == name)
      #expect(specification?.source == source)
    }
  }

  @Test(arguments: [
    "", "a=", "=b", "a b=c", "a=b,labels", "a=b,labels=", "a=b,task=fly", "a=b,threshold=2",
    "a=b,other=1", "../=x", "a=b,",
  ])
  func wrongTexts(text: String) {
    #expect(throws: ServerError.self) { try ModelSpecification(text) }
  }
}
