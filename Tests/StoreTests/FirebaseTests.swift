import Foundation
import OcellusPlatform
import OcellusTestSupport
import Synchronization
import Testing

@testable import OcellusStore

/// The protocol of FirebaseMLModelDownloader, against a scripted server with good and bad answers.
@Suite(.enabled(if: Executable.isThere("curl"), "no curl on this machine"))
struct FirebaseTests {
  /// A scripted server and the requests that it received.
  private final class Service: Sendable {
    struct State {
      var bytes: [UInt8] = [1, 2, 3]
      var validator: String? = "\"a\""
      /// The answer to requests about the model; nil for the regular one.
      var info: [ScriptedServer.Piece]?
      /// The answers to requests for the file, one after the other; then the file itself.
      var files: [[ScriptedServer.Piece]] = []
      var sizeBytes: String?
      var requests: [ScriptedServer.Request] = []
      var port: UInt16 = 0
    }

    let state = Mutex(State())

    func answer(_ request: ScriptedServer.Request) -> [ScriptedServer.Piece] {
      state.withLock { state in
        state.requests.append(request)
        if request.target.hasPrefix("/file") {
          return state.files.isEmpty ? .answer(state.bytes) : state.files.removeFirst()
        }
        if let info = state.info { return info }
        let fields = state.validator.map { ["ETag": $0] } ?? [:]
        if let validator = state.validator, request.fields["if-none-match"] == validator {
          return .answer("304 Not Modified", fields: fields)
        }
        let body = """
          {"downloadUri": "http://127.0.0.1:\(state.port)/file", "expireTime": "2021-01-20T04:20:10.220Z",
          "sizeBytes": "\(state.sizeBytes ?? "\(state.bytes.count)")", "modelFormat": "TFLITE"}
          """
        return .answer(fields: fields, Array(body.utf8))
      }
    }

    func change(_ body: (inout State) -> Void) { state.withLock { body(&$0) } }

    var requests: [ScriptedServer.Request] { state.withLock { $0.requests } }

    var fileRequests: Int { requests.count { $0.target.hasPrefix("/file") } }
  }

  private let service = Service()
  private let store: TestStore
  private let modelStore: ModelStore

  init() throws {
    let server = try ScriptedServer { [service] request in service.answer(request) }
    service.change { $0.port = server.port }
    store = try TestStore()
    store.options.conditions.attempts = 2
    var project = FirebaseProject(identifier: "project", apiKey: "key&more")
    project.baseURL = "http://127.0.0.1:\(server.port)"
    project.installationToken = { "the token" }
    modelStore = store.from(try .firebase(project))
  }

  @Test func modelsAreAskedForAsTheOriginalDoes() async throws {
    let model = try modelStore.update("my model/ä")
    #expect(try FileSystem.read(model.path) == [1, 2, 3])
    let (info, file) = (service.requests[0], service.requests[1])
    #expect(
      info.target
        == "/v1beta2/projects/project/models/my%20model%2F%C3%A4:download?key=key%26more")
    #expect(info.fields["x-goog-firebase-installations-auth"] == "the token")
    #expect(info.fields["x-ios-bundle-identifier"] == "")
    #expect(info.fields["if-none-match"] == nil)
    #expect(file.target == "/file")
    // The local policy sends no request.
    _ = try await modelStore.model("my model/ä", policy: .localOnly)
    #expect(service.requests.count == 2)
  }

  @Test func whatIsKnownIsNotSentAgain() throws {
    _ = try modelStore.update("model")
    _ = try modelStore.update("model")
    #expect(service.requests.last?.fields["if-none-match"] == "\"a\"")
    #expect(service.fileRequests == 1)
  }

  @Test func newValidatorsAreNewVersions() throws {
    _ = try modelStore.update("model")
    service.change { ($0.bytes, $0.validator) = ([4, 5, 6, 7], "\"b\"") }
    #expect(try FileSystem.read(modelStore.update("model").path) == [4, 5, 6, 7])
    #expect(try store.localBytes() == [4, 5, 6, 7])
  }

  @Test func theUpdateComesBehindTheModel() async throws {
    _ = try modelStore.update("model")
    service.change { ($0.bytes, $0.validator) = ([4, 5, 6, 7], "\"b\"") }
    let fetch = modelStore.fetch("model", policy: .localThenUpdate)
    #expect(try await fetch.model.byteCount == 3)
    #expect(try await fetch.updated.byteCount == 4)
  }

  @Test func askingTwiceAtOnceDownloadsOnce() async throws {
    let modelStore = modelStore
    async let first = modelStore.model("model", policy: .latest)
    async let second = modelStore.model("model", policy: .latest)
    #expect(try await first.byteCount == 3)
    #expect(try await second.byteCount == 3)
    #expect(service.fileRequests == 1)
  }

  @Test(arguments: [
    ("400 Bad Request", StoreError.Kind.serverFailed), ("401 Unauthorized", .refused),
    ("403 Forbidden", .refused), ("404 Not Found", .notFound), ("429 Too Many", .serverFailed),
    ("500 Error", .serverFailed),
  ])
  func answersAboutModels(status: String, kind: StoreError.Kind) throws {
    _ = try modelStore.update("model")
    let body = Array(#"{"error": {"message": "the\u001b[2J reason"}}"#.utf8)
    service.change { $0.info = .answer(status, body) }
    let error = #expect(throws: StoreError.self) { try modelStore.update("model") }
    #expect(error?.kind == kind)
    #expect(error?.message.contains("reason") == true)
    #expect(error?.message.contains("\u{1B}") == false)
    service.change { $0.info = .answer(status) }
    #expect(throws: StoreError.self) { try modelStore.update("model") }
    #expect(try store.localBytes() == [1, 2, 3])
  }

  @Test func nothingNewWithoutAnythingOld() throws {
    service.change { $0.info = .answer("304 Not Modified", fields: ["ETag": "\"a\""]) }
    let error = #expect(throws: StoreError.self) { try modelStore.update("model") }
    #expect(error?.kind == .serverFailed)
  }

  @Test(arguments: [
    "", "[]", #"{"downloadUri": "http://127.0.0.1/x", "sizeBytes": "3"}"#,
    #"{"downloadUri": "http://127.0.0.1/x", "expireTime": "2021-01-20T04:20:10Z", "sizeBytes": 3}"#,
    #"{"downloadUri": "http://127.0.0.1/x", "expireTime": "soon", "sizeBytes": "3"}"#,
    #"{"downloadUri": "http://127.0.0.1/x", "expireTime": "2021-01-20T04:20:10Z", "sizeBytes": "-3"}"#,
    #"{"downloadUri": "file:///etc/passwd", "expireTime": "2021-01-20T04:20:10Z", "sizeBytes": "3"}"#,
    #"{"downloadUri": "http://example.org/x", "expireTime": "2021-01-20T04:20:10Z", "sizeBytes": "3"}"#,
  ])
  func answersThatAreNone(body: String) {
    service.change { $0.info = .answer(fields: ["ETag": "\"a\""], Array(body.utf8)) }
    let error = #expect(throws: StoreError.self) { try modelStore.update("model") }
    #expect(error.map { [.serverFailed, .malformed].contains($0.kind) } == true)
  }

  @Test func answersWithoutAValidator() {
    service.change { $0.validator = nil }
    #expect(throws: StoreError.self) { try modelStore.update("model") }
  }

  /// If a download address has expired, each fetch asks the server for a new one.
  @Test func addressesThatAreTooOld() throws {
    for round in 0..<3 {
      service.change {
        $0.files = [.answer("400 Bad Request")]
        ($0.bytes, $0.validator) = ([1, UInt8(round)], "\"\(round)\"")
      }
      #expect(try modelStore.update("model").byteCount == 2)
    }
    service.change {
      $0.files = [.answer("400 Bad Request"), .answer("400 Bad Request")]
      $0.validator = "\"last\""
    }
    #expect(throws: StoreError.self) { try modelStore.update("model") }
    #expect(try store.localBytes() == [1, 2])
  }

  @Test(arguments: [
    ("403 Forbidden", StoreError.Kind.refused), ("404 Not Found", .notFound),
    ("299 Strange", .serverFailed),
  ])
  func answersInPlaceOfFiles(status: String, kind: StoreError.Kind) throws {
    service.change { $0.files = [.answer(status, [1, 2, 3])] }
    let error = #expect(throws: StoreError.self) { try modelStore.update("model") }
    #expect(error?.kind == kind)
  }

  @Test func filesAreAsLongAsTheServerSaid() throws {
    service.change { $0.sizeBytes = "4" }
    #expect(throws: StoreError.self) { try modelStore.update("model") }
    service.change { $0.sizeBytes = "2" }
    let error = #expect(throws: StoreError.self) { try modelStore.update("model") }
    #expect(error?.kind == .damaged)
  }

  /// A file without a length whose first transfer ends early is fetched again.
  @Test func filesInPieces() throws {
    service.change { $0.files = [.head() + [.bytes([1])], .head() + [.bytes([1, 2, 3])]] }
    #expect(try FileSystem.read(modelStore.update("model").path) == [1, 2, 3])
  }

  @Test func aVersionThatFailsItsTestIsNotTakenAgain() throws {
    store.options.selfTest = .runs()
    var project = FirebaseProject(identifier: "project", apiKey: "key")
    project.baseURL = "http://127.0.0.1:\(service.state.withLock { $0.port })"
    let testing = store.from(try .firebase(project))
    for _ in 0..<2 {
      let error = #expect(throws: StoreError.self) { try testing.update("model") }
      #expect(error?.kind == .unusable)
    }
    #expect(service.fileRequests == 1)
  }
}
