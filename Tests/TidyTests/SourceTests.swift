import Foundation
import Testing

@Suite struct SourceTests {
  @Test func filesAreShortEnoughToRead() throws {
    for folder in ["Sources", "Tests"] {
      for file in try Repository.swiftFiles(in: folder) {
        let lines = try String(contentsOf: file, encoding: .utf8).split(
          separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.count <= 500, "\(file.lastPathComponent) has \(lines.count) lines")
      }
    }
  }

  /// Only three source files open files: two for all callers, and one for external weights.
  ///
  /// External weights are opened component by component, because no link may lead out of their
  /// folder.
  @Test func filesAreOpenedInOnePlace() throws {
    let openers = try Repository.swiftFiles(in: "Sources").filter { file in
      try String(contentsOf: file, encoding: .utf8).contains(/\bO_(RDONLY|WRONLY|RDWR)\b|\bfopen\(/)
    }
    #expect(
      openers.map(\.lastPathComponent).sorted()
        == ["ExternalBuffers.swift", "FileDraft.swift", "OpenFile.swift"])
  }

  @Test func programLinksNoFoundation() throws {
    let program = Repository.build.appending(path: "ocellus")
    try #require(FileManager.default.fileExists(atPath: program.path), "build ocellus first")
    let libraries = try Repository.output(of: "readelf", ["-d", program.path])
      .split(separator: "\n").filter { $0.contains("NEEDED") }
    #expect(!libraries.isEmpty)
    #expect(libraries.filter { $0.contains("Foundation") }.isEmpty)
  }
}
