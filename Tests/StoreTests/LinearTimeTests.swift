import OcellusJSON
import OcellusPlatform
import OcellusTestSupport
import Testing

@testable import OcellusStore

/// Reading what hosts and disks provide takes time linear in its length, and little of it.
@Suite struct LinearTimeTests {
  private static let digest = String(repeating: "a1", count: 32)

  /// Returns the processor time of this thread for some work in seconds: the least of three times.
  private static func time(of work: () throws -> Void) rethrows -> Double {
    var least = Double.infinity
    for _ in 0..<3 {
      let start = now
      try work()
      least = min(least, now - start)
    }
    return least
  }

  private static var now: Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
  }

  /// Expects that four times the input takes at most six times as long, or next to no time.
  private func expectLinear<Input>(
    _ count: Int, _ input: (Int) throws -> Input, _ work: (Input) throws -> Void,
    _ subject: Comment
  ) throws {
    let (small, large) = (try input(count), try input(4 * count))
    var (before, after) = (0.0, 0.0)
    // Other processes may disturb the caches for a while.
    for _ in 0..<4 {
      before = try Self.time { try work(small) }
      after = try Self.time { try work(large) }
      if after < max(6 * before, 0.01) { return }
    }
    Issue.record("\(subject): four times as much takes \(after / before) times as long")
  }

  private static func manifest(_ count: Int, url: (Int) -> String = { "\($0).tflite" }) -> [UInt8] {
    let models = (0..<count).map { number in
      (
        name: "model \(number)",
        versions: [
          ManifestText.Version(
            version: "1", file: .init(url: url(number), sha256: digest, byteCount: 1))
        ]
      )
    }
    return Array(ManifestText.text(models).utf8)
  }

  private static func base() throws -> Manifest.Base {
    .web(try WebAddress("https://example.org/models/manifest.json"))
  }

  // MARK: Manifests

  /// Building and searching a manifest takes at most eight times as long as parsing its JSON.
  @Test func manifestsCostLittleMoreThanTheirText() throws {
    let bytes = Self.manifest(2000)
    let base = try Self.base()
    let text = try Self.time { _ = try JSONParser.parse(bytes) }
    let all = try Self.time {
      let manifest = try Manifest(parsing: bytes, base: base)
      _ = manifest.versions(of: try ModelName("model 1999"))
    }
    #expect(all < 8 * text, "\(all / text) times")
  }

  @Test func manifestsOfManyModels() throws {
    let base = try Self.base()
    try expectLinear(
      2000, { Self.manifest($0) },
      { bytes in
        let manifest = try Manifest(parsing: bytes, base: base)
        _ = manifest.versions(of: try ModelName("no model"))
      }, "models")
  }

  @Test func manifestsWithLongParts() throws {
    let base = try Self.base()
    let version = ManifestText.Version(
      version: "1", file: .init(url: "a", sha256: Self.digest, byteCount: 1))
    func parse(_ text: String) { _ = try? Manifest(parsing: Array(text.utf8), base: base) }
    try expectLinear(
      2000, { ManifestText.text([("a", Array(repeating: version, count: $0))]) }, parse, "versions")
    try expectLinear(
      20_000,
      { count in
        var wide = version
        wide.more = (0..<count).map { #", "x\#($0)": 1"# }.joined()
        return ManifestText.text([("a", [wide])])
      }, parse, "members")
    for part in ["a", "-", ".", "/", "../", "%", "://", ":", "@", "?", "é", "a-"] {
      try expectLinear(
        50_000,
        { count in
          var long = version
          long.file.url = String(repeating: part, count: count)
          return ManifestText.text([("a", [long])])
        }, parse, "addresses of \(part)")
      try expectLinear(
        50_000, { ManifestText.text([(String(repeating: part, count: $0), [version])]) }, parse,
        "names of \(part)")
    }
  }

  @Test func addresses() throws {
    for part in ["a", "-", ".", "a-", "a.", "1.", ":", "/", "/..", "?", "#", "[", "::"] {
      for beginning in ["https://", "http://127", "https://a", "https://[", "https://a/", ""] {
        try expectLinear(
          900, { beginning + String(repeating: part, count: $0) },
          { text in for _ in 0..<20 { _ = try? WebAddress(text) } }, "\(beginning)\(part)")
      }
    }
  }

  // MARK: What servers say besides

  @Test func linesOfAnswers() throws {
    for line in ["a: b\r\n", "\n", "\r", ":", "a", " "] {
      try expectLinear(
        10_000, { Array(("HTTP/1.1 200 OK\r\n" + String(repeating: line, count: $0)).utf8) },
        { bytes in
          var head = ResponseHead(limit: 1 << 20)
          var rest = bytes[...]
          _ = try? head.take(&rest)
        }, "lines of \(line)")
    }
  }

  @Test func scannedTexts() throws {
    for part in ["1", "bytes ", "bytes 1-", "-", "a1"] {
      try expectLinear(
        50_000, { String(repeating: part, count: $0) },
        { text in
          var scanner = ByteScanner(text)
          while scanner.take("bytes ") || scanner.digits(1...18) != nil || scanner.take("-")
            || scanner.take("a") || scanner.take("1")
          {}
        }, "scanner of \(part)")
    }
  }

  // MARK: Folders and the store

  @Test func foldersOfManyFiles() throws {
    try expectLinear(
      500,
      { count in
        let folder = try TemporaryDirectory()
        for number in 0..<count {
          for ending in [".tflite", ".txt"] {
            try FileSystem.write([1], to: "\(folder.path)/m\(number % 10)@\(number)\(ending)")
          }
        }
        return folder
      }, { folder in _ = try ModelFolder(folder.path) }, "files")
  }

  @Test func versionsOfLongNames() throws {
    for part in ["1", "a", "1a", "0", "9."] {
      try expectLinear(
        20, { String(repeating: part, count: $0 / part.utf8.count) },
        { text in
          let folder = try TemporaryDirectory()
          for number in 0..<20 {
            try FileSystem.write([1], to: "\(folder.path)/m@\(text.prefix(70))\(number).tflite")
          }
          _ = try ModelFolder(folder.path)
        }, "versions of \(part)")
    }
  }

  @Test func storesOfManyModels() throws {
    try expectLinear(
      100,
      { count in
        let store = try TestStore()
        let cache = ModelCache(root: store.folder.path)
        for number in 0..<count {
          let name = try ModelName("model \(number)")
          var record = ModelRecord(name: name.text)
          record.current = .init(
            version: "1", files: VersionFiles(sha256: Self.digest, byteCount: 1), validator: nil,
            host: "")
          try cache.write(record, of: name)
        }
        return store
      },
      { store in
        _ = store.from(.nothing).recordedNames()
        _ = store.from(.nothing).localModels()
      }, "records")
  }

  @Test func catalogues() throws {
    let entry = #"""
      {"id": "a", "name": "a", "task": "t", "summary": "s", "license": "l", "url": "https://example.org/a",
      "sha256": "\#(Self.digest)", "bytes": 1}
      """#
    try expectLinear(
      1000,
      { count in
        let text =
          #"{"models": [\#(Array(repeating: entry, count: count).joined(separator: ","))]}"#
        return try JSONParser.parse(Array(text.utf8))
      },
      { json in
        let catalog = try ModelCatalog(json: json)
        let client = WebClient(
          transport: CurlTransport(), conditions: FetchConditions(),
          cancellation: FetchCancellation(), credentials: nil)
        let desk = HostContext(client: client, documents: DocumentCache(folder: "/nowhere"))
        _ = try CatalogHost(catalog: catalog).all(from: desk)
      }, "entries")
  }

  @Test func keptDocuments() throws {
    let address = try WebAddress("https://example.org/manifest.json")
    try expectLinear(
      50_000, { Array(repeating: UInt8(ascii: "\""), count: $0) },
      { bytes in
        let folder = try TemporaryDirectory()
        let documents = DocumentCache(folder: folder.path)
        documents.keep(bytes, validator: "\"a\"", of: address)
        #expect(documents.document(of: address)?.bytes == bytes)
      }, "documents")
  }
}
