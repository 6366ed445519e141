import OcellusTestSupport
import Testing

@testable import OcellusStore

/// Manifests are untrusted input: anything malformed in one is an error.
@Suite struct ManifestTests {
  private static let digest = String(repeating: "a1", count: 32)
  private static let file = ManifestText.File(url: "a.tflite", sha256: digest, byteCount: 5)

  private func manifest(_ text: String, base: Manifest.Base? = nil) throws -> Manifest {
    let base = try base ?? .web(WebAddress("https://example.org/models/manifest.json"))
    return try Manifest(parsing: Array(text.utf8), base: base)
  }

  private func place(_ url: String, base: Manifest.Base? = nil) throws -> OfferedFile.Place {
    var file = Self.file
    file.url = url
    let text = ManifestText.text([("model", [.init(version: "1", file: file)])])
    return try #require(
      try manifest(text, base: base).versions(of: ModelName("model"))?.first
    ).model.place
  }

  @Test func versionsAreRead() throws {
    let version = ManifestText.Version(
      version: "2", file: Self.file, labels: Self.file,
      more: #", "rollout": 12.5, "minimum_ocellus": "0.1""#)
    let read = try manifest(ManifestText.text([("flowers", [version])]))
    let offered = try #require(read.versions(of: ModelName("flowers"))?.first)
    #expect(offered.version == "2")
    #expect(offered.rollout == 12.5)
    #expect(offered.minimumRuntime == .current)
    #expect(offered.byteCount == 10)
    #expect(try read.versions(of: ModelName("Flowers")) == nil)
  }

  @Test(arguments: [
    "", "[]", "{}", #"{"format": 2, "models": []}"#, #"{"format": 1}"#,
    #"{"format": 1, "models": [1]}"#, #"{"format": 1, "models": [{"name": "a"}]}"#,
    #"{"format": 1, "models": [{"name": "a", "versions": []}]}"#,
    #"{"format": 1, "models": [{"name": "a", "versions": [{"version": "1"}]}]}"#,
    #"{"format": 1, "models": [{"name": "", "versions": []}]}"#,
    ManifestText.text([("a", [.init(version: "1", file: file, more: #", "rollout": 101"#)])]),
    ManifestText.text([("a", [.init(version: "1", file: file, more: #", "rollout": -1"#)])]),
    ManifestText.text([
      (
        "a",
        [
          .init(version: "1", file: file, more: #", "rollout": 60"#),
          .init(version: "2", file: file, more: #", "rollout": 60"#),
        ]
      )
    ]),
    ManifestText.text([("a", [.init(version: "1", file: file, more: #", "minimum_ocellus": "x""#)])]
    ),
    ManifestText.text([("a", [.init(version: "1\\u001b[2J", file: file)])]),
    ManifestText.text([("a\\u001b[2J", [.init(version: "1", file: file)])]),
    ManifestText.text([("a\\u202egpj", [.init(version: "1", file: file)])]),
    ManifestText.text([
      ("a", [.init(version: "1", file: file)]), ("a", [.init(version: "1", file: file)]),
    ]),
    ManifestText.text([
      ("a", [.init(version: "1", file: .init(url: "x", sha256: "../../x", byteCount: 5))])
    ]),
    ManifestText.text([
      ("a", [.init(version: "1", file: .init(url: "x", sha256: digest, byteCount: -5))])
    ]),
  ])
  func whatIsNoManifest(text: String) {
    let error = #expect(throws: StoreError.self) { try manifest(text) }
    #expect(error?.kind == .malformed)
    #expect(error?.message.unicodeScalars.contains { $0.value < 32 && $0 != "\n" } == false)
  }

  @Test(arguments: [
    ("a.tflite", "https://example.org/models/a.tflite"),
    ("../a.tflite", "https://example.org/a.tflite"),
    ("/a.tflite?x=1", "https://example.org/a.tflite?x=1"),
    ("//other.org/a", "https://other.org/a"),
    ("https://other.org:8443/a#part", "https://other.org:8443/a"),
    ("./x/./y/../a.tflite", "https://example.org/models/x/a.tflite"),
    ("../../../../a", "https://example.org/a"),
  ])
  func addressesAreRelativeToTheManifest(reference: String, address: String) throws {
    guard case .web(let place) = try place(reference) else {
      Issue.record("no address")
      return
    }
    #expect(place.text == address)
  }

  @Test(arguments: [
    "http://example.org/a", "file:///etc/passwd", "ftp://example.org/a", "https://", "https:///a",
    "https://user:word@example.org/a", "https://example.org:0/a", "https://example.org:99999/a",
    "https://exa mple.org/a", "https://example.org/\\u001b", "https://example.org/a\\\"b",
    "https://example.org/a\\\\b", "https://example.org/ä", "https://-x/a", "https://[::1/a",
    "https://example.org/\\n--output=/etc/x", "javascript:alert(1)", "http://127.0.0.1/a",
  ])
  func addressesThatAreNotFollowed(reference: String) {
    let error = #expect(throws: StoreError.self) { try place(reference) }
    #expect(error?.kind == .malformed)
  }

  @Test func filesOfAFolder() throws {
    let base = Manifest.Base.folder("/models")
    guard case .disk(let path) = try place("sub/a%20b.tflite", base: base) else {
      Issue.record("no file")
      return
    }
    #expect(path == "/models/sub/a b.tflite")
    for reference in [
      "../a", "/etc/passwd", "a/../../b", "a//b", "%2e%2e/a", "a%00b", "%zz", "", ".",
    ] {
      #expect(throws: StoreError.self, "\(reference)") { try place(reference, base: base) }
    }
  }

  /// Plain HTTP is allowed for addresses of this machine only.
  @Test func plainAddressesOfThisMachine() throws {
    for text in ["http://localhost:1/a", "http://127.0.0.1/a", "http://[::1]:80/a"] {
      #expect(try WebAddress(text).text == text)
    }
    #expect(throws: StoreError.self) { try WebAddress("http://127.0.0.1.example.org/a") }
    #expect(throws: StoreError.self) { try WebAddress("http://localhost.example.org/a") }
  }

  @Test func namesOfFilesAreTheirOwn() throws {
    let names = ["a", "A", "a b", "a/b", "..", ".", "@@", "ä", "a%20b", "con", "-rf", "~"]
    let files = try names.map { try ModelName($0).fileName }
    #expect(Set(files.map { $0.lowercased() }).count == names.count)
    for file in files {
      #expect(file.wholeMatch(of: /[a-z0-9_%A-F-]+/) != nil)
    }
    #expect(throws: StoreError.self) { try ModelName("") }
    #expect(throws: StoreError.self) { try ModelName(String(repeating: "x", count: 81)) }
  }

  @Test func versionsAreComparedByNumbers() throws {
    let versions = try ["0.1", "0.1.0", "0.2", "0.10", "1"].map { try #require(RuntimeVersion($0)) }
    #expect(versions[0] == versions[1])
    #expect(versions[1] < versions[2] && versions[2] < versions[3] && versions[3] < versions[4])
    for text in ["", "1.", "a", "-1", "1.2.3.4.5", "99999999999999999999"] {
      #expect(RuntimeVersion(text) == nil)
    }
  }
}
