import Foundation
import OcellusModelFile
import OcellusTestSupport
import Testing

/// Archives made by the system's `tar` and `gzip` are read back to the original files.
@Suite(.enabled(if: Executable.isThere("tar") && Executable.isThere("gzip"), "no tar or gzip"))
struct TarArchiveTests {
  private let folder: TemporaryDirectory
  /// Text, noise, an empty file, whole blocks, and names that need a prefix or an extended header.
  private let files: [String: [UInt8]]

  init() throws {
    folder = try TemporaryDirectory()
    var random = SeededGenerator(seed: 1)
    let noise = (0..<70_000).map { _ in UInt8.random(in: 0...255, using: &random) }
    let text = (0..<20_000).map { "line \($0 * $0)\n" }.joined()
    files = [
      "text.txt": Array(text.utf8), "a/noise": noise, "a/empty": [],
      "a/zeros": Array(repeating: 0, count: 1024),
      String(repeating: "folder/", count: 20) + "file": [1, 2, 3],
      "b/" + String(repeating: "n", count: 200): [4],
      "b/größe": [5],
    ]
    for (name, bytes) in files {
      let url = URL(filePath: "\(folder.path)/files/\(name)")
      try FileManager.default.createDirectory(
        at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(bytes).write(to: url)
    }
    try FileManager.default.createSymbolicLink(
      atPath: "\(folder.path)/files/link", withDestinationPath: "text.txt")
  }

  /// Creates an archive of the files and returns its bytes.
  private func make(_ options: String..., named name: String = "archive") throws -> [UInt8] {
    let path = "\(folder.path)/\(name)"
    let complaints = try Executable.errors(
      of: "tar", ["-cf", path, "-C", "\(folder.path)/files"] + options + ["."], with: "")
    try #require(complaints.isEmpty, "\(complaints)")
    return Array(try Data(contentsOf: URL(filePath: path)))
  }

  private func compress(_ bytes: [UInt8], _ options: String...) throws -> [UInt8] {
    let path = "\(folder.path)/to-compress"
    try Data(bytes).write(to: URL(filePath: path))
    _ = try Executable.errors(of: "gzip", ["--keep", "--force"] + options + [path], with: "")
    return Array(try Data(contentsOf: URL(filePath: path + ".gz")))
  }

  private func check(_ bytes: [UInt8], without left: Set<String> = []) throws {
    let archive = try TarArchive(ModelBytes(bytes))
    #expect(archive.names == files.keys.filter { !left.contains($0) }.sorted())
    for name in archive.names { #expect(archive.contents(of: name) == files[name]) }
    #expect(archive.contents(of: "link") == nil)
  }

  @Test(arguments: ["gnu", "pax"]) func formatsOfLongNames(format: String) throws {
    try check(try make("--format=\(format)"))
  }

  @Test func formatsOfShortNames() throws {
    let long = try #require(files.keys.first { $0.count > 200 })
    let bytes = try make("--format=ustar", "--exclude=nnn*")
    try check(bytes, without: [long])
  }

  @Test(arguments: ["-1", "-6", "-9"]) func compressedOnes(level: String) throws {
    try check(try compress(try make("--format=gnu"), level))
    try check(try compress(try make("--format=gnu"), level, "--no-name"))
  }

  /// A gzip file may consist of several concatenated members.
  @Test func compressedInParts() throws {
    let bytes = try make("--format=pax")
    let half = bytes.count / 2
    try check(try compress(Array(bytes[..<half])) + compress(Array(bytes[half...])))
  }

  @Test func truncatedArchivesAreRefusedWhereTheyEnd() throws {
    let bytes = try compress(try make("--format=gnu"))
    for count in stride(from: 2, to: bytes.count, by: 997) {
      let path = "\(folder.path)/cut"
      try Data(bytes[..<count]).write(to: URL(filePath: path))
      #expect {
        try TarArchive(path: path)
      } throws: {
        let error = $0 as? ModelFileError
        return error?.kind == .malformed && error?.path == path && error?.byteOffset != nil
      }
    }
    let plain = try make("--format=gnu")
    #expect(throws: ModelFileError.self) { try TarArchive(ModelBytes(Array(plain[..<5000]))) }
  }

  /// A changed byte of compressed data is found by the decompressor or the checksum.
  @Test func damagedArchivesAreRefused() throws {
    let bytes = try compress(try make("--format=gnu"), "--no-name")
    var random = SeededGenerator(seed: 2)
    for _ in 0..<300 {
      var damaged = bytes
      let position = Int.random(in: 10..<bytes.count, using: &random)
      damaged[position] ^= UInt8.random(in: 1...255, using: &random)
      // Other compressed data may decode to the same bytes.
      guard let archive = try? TarArchive(ModelBytes(damaged)) else { continue }
      for name in archive.names { #expect(archive.contents(of: name) == files[name]) }
    }
  }

  @Test func damagedHeadersNeverTrap() throws {
    let bytes = try make("--format=pax")
    var random = SeededGenerator(seed: 3)
    for _ in 0..<2000 {
      var damaged = bytes
      for _ in 0..<Int.random(in: 1...5, using: &random) {
        let block = 512 * Int.random(in: 0..<20, using: &random)
        damaged[block + Int.random(in: 100..<160, using: &random)] =
          UInt8.random(in: 0...255, using: &random)
      }
      _ = try? TarArchive(ModelBytes(damaged))
    }
  }

  @Test func whatGrowsBeyondTheLimitIsRefused() throws {
    let zeros = try compress([UInt8](repeating: 0, count: 1 << 20), "-9")
    let many = (0..<3).flatMap { _ in zeros }
    #expect(throws: Never.self) { try TarArchive(ModelBytes(many), limit: 3 << 20) }
    #expect {
      try TarArchive(ModelBytes(many), limit: 3 << 20 - 1)
    } throws: {
      ($0 as? ModelFileError)?.message.contains("decompresses to more than") == true
    }
  }

  @Test func otherFilesAreRefused() {
    for text in ["", "some text", String(repeating: "long text ", count: 100)] {
      #expect(throws: ModelFileError.self) { try TarArchive(ModelBytes(Array(text.utf8))) }
    }
  }
}
