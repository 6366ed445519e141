import Foundation
import OcellusPlatform
import OcellusStoreNetwork
import OcellusTestSupport
import Testing

@testable import OcellusStore

/// Transfers from a real web server over TLS, with every fault between server and disk.
///
/// Each ends with the new model, or with the old one and an error that says why.
@Suite(.enabled(if: WebServer.isAvailable, "\(WebServer.missing)"))
struct TransferTests {
  private let server: WebServer
  private let files: HostedFiles

  init() throws {
    server = try #require(WebServer.shared)
    files = try HostedFiles(server)
  }

  /// Returns a store that has "old", with a manifest that offers a newer file.
  private func storeWithOld(
    _ transport: Transport, newer: ManifestText.File
  ) throws -> TestStore {
    let store = try TestStore(transport)
    try files.offer([.init(version: "1", file: try files.put(Array("old".utf8), "old.tflite"))])
    _ = try store.from(files).update("model")
    try files.offer([.init(version: "2", file: newer)])
    return store
  }

  /// Returns the error of an update to the newer file, and expects that the old one is still there.
  private func failure(
    _ transport: Transport, newer: ManifestText.File,
    change: (inout ModelStore.Options) -> Void = { _ in }
  ) throws -> StoreError {
    let store = try storeWithOld(transport, newer: newer)
    change(&store.options)
    let error = #expect(throws: StoreError.self) {
      try store.from(files).update("model")
    }
    #expect(try store.localBytes() == Array("old".utf8))
    return try #require(error)
  }

  private func scripted(
    _ bytes: [UInt8],
    _ script: @escaping @Sendable (ScriptedServer.Request) -> [ScriptedServer.Piece]
  ) -> ManifestText.File {
    let name = UUID().uuidString
    WebScripts.shared.set(name, script)
    return .init(
      url: "/scripted/\(name)/model", sha256: SHA256.hash(bytes).hexadecimal,
      byteCount: bytes.count)
  }

  // MARK: What goes well

  @Test(arguments: Transport.allCases) func updates(transport: Transport) throws {
    let new = Noise.bytes(300_000)
    let store = try storeWithOld(transport, newer: try files.put(new, "new.tflite"))
    let model = try store.from(files).update("model")
    #expect(model.version == "2")
    #expect(try FileSystem.read(model.path) == new)
    #expect(try store.localBytes() == new)
  }

  @Test(arguments: Transport.allCases) func whatIsKnownIsNotSentAgain(transport: Transport) throws {
    let store = try TestStore(transport)
    try files.offer([.init(version: "1", file: try files.put([1, 2, 3], "a.tflite"))])
    for _ in 0..<3 { _ = try store.from(files).update("model") }
    let manifests = try server.requests(of: "\(files.path)/manifest.json")
    #expect(manifests.map { $0.split(separator: " ")[1] } == ["200", "304", "304"])
    #expect(try server.requests(of: "\(files.path)/a.tflite").count == 1)
  }

  @Test(arguments: Transport.allCases) func labelsComeAlong(transport: Transport) throws {
    let store = try TestStore(transport)
    let labels = try files.put(Array("cat\ndog\n".utf8), "names.txt")
    try files.offer([
      .init(version: "1", file: try files.put([1, 2, 3], "a.tflite"), labels: labels)
    ])
    let model = try store.from(files).update("model")
    let path = try #require(model.labelsPath)
    #expect(path == model.path.replacing(".tflite", with: ".labels.txt"))
    #expect(try FileSystem.read(path) == Array("cat\ndog\n".utf8))
  }

  @Test(arguments: Transport.allCases) func goesOnBehindACut(transport: Transport) throws {
    let new = Noise.bytes(400_000)
    let file = scripted(new) { request in
      // The connection breaks after half of the file; the next answer is the rest.
      if request.earlier == 0 {
        return .head(fields: ["Content-Length": "\(new.count)", "ETag": "\"a\""])
          + [.bytes(Array(new[..<200_000]))]
      }
      let start = request.fields["range"].flatMap { Int($0.dropFirst(6).dropLast()) } ?? 0
      #expect(start > 0)
      #expect(request.fields["if-range"] == "\"a\"")
      return .answer(
        "206 Partial Content",
        fields: ["Content-Range": "bytes \(start)-\(new.count - 1)/\(new.count)"],
        Array(new[start...]))
    }
    let store = try storeWithOld(transport, newer: file)
    #expect(try FileSystem.read(store.from(files).update("model").path) == new)
    #expect(WebScripts.shared.count(of: file.url) == 2)
  }

  /// After the end of a process in mid-transfer, the next one requests only the missing bytes.
  @Test(arguments: Transport.allCases) func goesOnBehindTheEndOfAProcess(transport: Transport)
    throws
  {
    let new = Noise.bytes(400_000)
    let file = try files.put(new, "new.tflite")
    let store = try storeWithOld(transport, newer: file)
    let incoming = "\(store.folder.path)/incoming/\(file.sha256)"
    try FileSystem.createDirectory(incoming)
    try FileSystem.write(Array(new[..<150_000]), to: "\(incoming)/model.tflite")
    #expect(try FileSystem.read(store.from(files).update("model").path) == new)
    let request = try #require(try server.requests(of: "\(files.path)/new.tflite").first)
    #expect(request.contains("206 250000 \"bytes=150000-\""))
    #expect(try FileSystem.entries(of: "\(store.folder.path)/incoming").isEmpty)
  }

  /// If the bytes of an earlier transfer belong to another file, the whole file is fetched again.
  @Test(arguments: Transport.allCases) func startsAgainBehindAWrongPart(transport: Transport) throws
  {
    let new = Noise.bytes(100_000)
    let file = try files.put(new, "new.tflite")
    let store = try storeWithOld(transport, newer: file)
    let incoming = "\(store.folder.path)/incoming/\(file.sha256)"
    try FileSystem.createDirectory(incoming)
    try FileSystem.write(Noise.bytes(50_000), to: "\(incoming)/model.tflite")
    #expect(try FileSystem.read(store.from(files).update("model").path) == new)
  }

  @Test(arguments: Transport.allCases) func redirectionsAreFollowed(transport: Transport) throws {
    // Concurrent tests write the same bytes to this path.
    let new = Noise.bytes(1000, seed: 1)
    try FileSystem.createDirectory(server.folder + "/moved")
    try FileSystem.write(new, to: server.folder + "/moved/here.tflite")
    let host = try ModelHost.file(
      server.url("/moved.tflite", isPlain: transport.isPlain), name: "model",
      sha256: SHA256.hash(new).hexadecimal)
    let store = try TestStore(transport)
    #expect(try FileSystem.read(store.from(host).update("model").path) == new)
  }

  @Test(arguments: Transport.allCases, [500, 503, 429, 408])
  func failingServersAreAskedAgain(transport: Transport, status: Int) throws {
    let new = Noise.bytes(5000)
    let file = scripted(new) { request in
      request.earlier < 2 ? .answer("\(status) Later", fields: ["Retry-After": "0"]) : .answer(new)
    }
    let store = try storeWithOld(transport, newer: file)
    #expect(try FileSystem.read(store.from(files).update("model").path) == new)
    #expect(WebScripts.shared.count(of: file.url) == 3)
  }

  @Test(arguments: Transport.allCases) func tokensAreForTheirServerOnly(transport: Transport) throws
  {
    let hosted = try HostedFiles(server, below: "/private")
    let elsewhere = scripted([7, 7]) { request in
      #expect(request.fields["authorization"] == nil)
      return .answer([7, 7])
    }
    let other = ManifestText.File(
      url: server.url(elsewhere.url, isPlain: transport.isPlain)
        .replacing("localhost", with: "127.0.0.1"), sha256: elsewhere.sha256,
      byteCount: 2)
    try hosted.offer([.init(version: "1", file: other)])
    let store = try TestStore(transport)
    let refused = #expect(throws: StoreError.self) {
      try store.from(hosted).update("model")
    }
    #expect(refused?.kind == .refused)
    let host = try ModelHost.manifest(hosted.manifestURL(transport)) { WebServer.token }
    #expect(try FileSystem.read(store.from(host).update("model").path) == [7, 7])
  }

  /// For a body without a length, the manifest's length counts.
  @Test(arguments: Transport.allCases) func bodiesWithoutALength(transport: Transport) throws {
    let new = Noise.bytes(100_000)
    let file = scripted(new) { _ in .head() + [.bytes(new)] }
    let store = try storeWithOld(transport, newer: file)
    #expect(try FileSystem.read(store.from(files).update("model").path) == new)
  }

  // MARK: What does not

  @Test(arguments: Transport.allCases) func wrongDigests(transport: Transport) throws {
    var file = try files.put(Noise.bytes(1000), "new.tflite")
    file.sha256 = SHA256.hash([1]).hexadecimal
    let error = try failure(transport, newer: file)
    #expect(error.kind == .damaged)
    #expect(error.message.contains(file.sha256))
  }

  @Test(arguments: Transport.allCases, [999, 1001, 1])
  func wrongLengths(transport: Transport, byteCount: Int) throws {
    var file = try files.put(Noise.bytes(1000), "new.tflite")
    file.byteCount = byteCount
    #expect(try failure(transport, newer: file).kind == .damaged)
  }

  @Test(arguments: Transport.allCases) func truncatedBodies(transport: Transport) throws {
    let new = Noise.bytes(50_000)
    let file = scripted(new) { request in
      .head(fields: ["Content-Length": "\(new.count)"]) + [.bytes(Array(new[..<10]))]
    }
    let error = try failure(transport, newer: file)
    #expect([.damaged, .unreachable, .serverFailed].contains(error.kind), "\(error)")
    #expect(WebScripts.shared.count(of: file.url) == 4)
  }

  @Test(arguments: Transport.allCases) func missingFiles(transport: Transport) throws {
    var file = try files.put([1], "new.tflite")
    file.url = "nowhere.tflite"
    let error = try failure(transport, newer: file)
    #expect(error.kind == .notFound)
    // A missing file is not requested again.
    #expect(try server.requests(of: "\(files.path)/nowhere.tflite").count == 1)
  }

  @Test(arguments: Transport.allCases) func serversThatFailForEver(transport: Transport) throws {
    let file = scripted([1]) { _ in .answer("500 No") }
    let error = try failure(transport, newer: file)
    #expect(error.kind == .serverFailed)
    #expect(WebScripts.shared.count(of: file.url) == 4)
  }

  @Test(arguments: Transport.allCases) func silentServers(transport: Transport) throws {
    let file = scripted(Noise.bytes(1000)) { _ in
      .head(fields: ["Content-Length": "1000"]) + [.bytes([1]), .pause(milliseconds: 20_000)]
    }
    let error = try failure(transport, newer: file) {
      $0.conditions.idleTimeout = .milliseconds(300)
      $0.conditions.attempts = 2
    }
    #expect(error.kind == .timedOut)
  }

  @Test(arguments: Transport.allCases) func slowBodies(transport: Transport) throws {
    let slow = try HostedFiles(server, below: "/slow")
    let file = try slow.put(Noise.bytes(4_000_000), "new.tflite")
    let error = try failure(
      transport,
      newer: .init(
        url: "\(slow.path)/new.tflite", sha256: file.sha256, byteCount: file.byteCount)
    ) { $0.conditions.totalTimeout = .milliseconds(500) }
    #expect(error.kind == .timedOut)
  }

  /// Does not run with `URLSession`, which reads on while it is cancelled: from the same machine it
  /// would read the whole body.
  @Test(arguments: [Transport.curl]) func endlessBodies(transport: Transport) throws {
    let file = scripted(Noise.bytes(1000)) { _ in .head() + [.endless(Noise.bytes(65_536, seed: 1))]
    }
    let error = try failure(transport, newer: file)
    #expect(error.kind == .damaged)
  }

  @Test(arguments: [Transport.curl]) func endlessManifests(transport: Transport) throws {
    let file = scripted([1]) { _ in .head() + [.endless(Array(repeating: 0x20, count: 65_536))] }
    let store = try TestStore(transport)
    let error = #expect(throws: StoreError.self) {
      try store.from(server.url(file.url, isPlain: transport.isPlain)).update("model")
    }
    #expect(error?.kind == .tooLarge)
  }

  @Test(
    arguments: Transport.allCases,
    [
      ("/in-circles", StoreError.Kind.serverFailed), ("/to-a-file", .malformed),
      ("/to-http", .malformed),
    ])
  func redirectionsToNoGoodPlace(
    transport: Transport, place: (path: String, kind: StoreError.Kind)
  ) throws {
    // Without TLS, a redirection to plain HTTP is no downgrade.
    if transport.isPlain, place.path == "/to-http" { return }
    var file = try files.put([1], "new.tflite")
    file.url = place.path
    #expect(try failure(transport, newer: file).kind == place.kind)
  }

  @Test(arguments: Transport.allCases) func whatIsTooLarge(transport: Transport) throws {
    let file = try files.put(Noise.bytes(1000), "new.tflite")
    let error = try failure(transport, newer: file) { $0.conditions.maximumBytes = 999 }
    #expect(error.kind == .tooLarge)
    #expect(try server.requests(of: "\(files.path)/new.tflite").isEmpty)
  }

  @Test(arguments: Transport.allCases) func whatIsNotAllowed(transport: Transport) throws {
    let file = try files.put(Noise.bytes(1000), "new.tflite")
    let error = try failure(transport, newer: file) {
      $0.conditions.allowsDownload = { $0 ?? 0 < 100 }
    }
    #expect(error.kind == .notAllowed)
  }

  // MARK: Who the server is

  /// An expired certificate is rejected.
  @Test(arguments: Transport.allCases) func certificatesOfAnotherTime(transport: Transport) throws {
    let store = try storeWithOld(transport, newer: try files.put([1], "new.tflite"))
    let error = #expect(throws: StoreError.self) {
      try store.from(server.expiredURL("\(files.path)/manifest.json")).update("model")
    }
    #expect(error?.kind == .unreachable)
    #expect(try store.localBytes() == Array("old".utf8))
  }

  @Test(arguments: [CurlTransport() as any ModelTransport, URLSessionTransport()])
  func authoritiesThatNobodyKnows(transport: any ModelTransport) throws {
    try files.offer([.init(version: "1", file: try files.put([1], "a.tflite"))])
    let store = ModelStore(
      try .manifest(files.manifestURL(.curl)), transport: transport,
      options: try TestStore().options)
    let error = #expect(throws: StoreError.self) { try store.update("model") }
    #expect(error?.kind == .unreachable)
    #expect(error?.message.contains("certificate") == true)
  }

  @Test(arguments: Transport.allCases) func nobodyAnswers(transport: Transport) throws {
    let store = try TestStore(transport)
    store.options.conditions.attempts = 2
    let error = #expect(throws: StoreError.self) {
      try store.from("https://localhost:1/manifest.json").update("model")
    }
    #expect(error?.kind == .unreachable)
  }

  @Test func withoutCurl() throws {
    let transport = CurlTransport(program: "no-such-curl", authorities: nil)
    let store = ModelStore(
      try .manifest(files.manifestURL(.curl)), transport: transport,
      options: try TestStore().options)
    let error = #expect(throws: StoreError.self) { try store.update("model") }
    #expect(error?.message.contains("install") == true)
  }
}
