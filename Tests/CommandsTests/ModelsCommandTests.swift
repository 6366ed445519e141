import Foundation
import OcellusJSON
import OcellusTestSupport
import Testing

@testable import OcellusCommands

@Suite struct ModelsCommandTests {
  @Test func listsAndDescribes() throws {
    let list = ProgramRun(["models", "list"])
    #expect(list.code == 0)
    #expect(list.output.contains("coco-ssd-mobilenet-v1"))
    let info = ProgramRun(["models", "info", "food-ssd-fpnlite"])
    #expect(info.code == 0)
    // Whatever is printed can be piped into a shell: comments and commands only.
    let lines = info.output.split(separator: "\n")
    #expect(lines.allSatisfy { line in ["# ", "curl ", "echo "].contains { line.hasPrefix($0) } })
    #expect(lines.count { $0.hasPrefix("curl ") } == 2)
  }

  @Test func unknownModelsAreWrongUsage() {
    #expect(ProgramRun(["models", "info", "coco-ssd"]).code == 2)
    #expect(ProgramRun(["models", "fetch"]).code == 2)
  }

  /// The entries against a list made by others: repository, path, commit and checksum of each file.
  @Test(.enabled(if: SharedFiles.arePresent, "\(SharedFiles.missing)"))
  func entriesAgreeWithTheManifest() throws {
    let manifest = try String(
      contentsOfFile: SharedFiles.folder.path + "/zoo/MANIFEST.tsv", encoding: .utf8)
    var byChecksum: [String: [Substring]] = [:]
    for line in manifest.split(separator: "\n").dropFirst() {
      let fields = line.split(separator: "\t", omittingEmptySubsequences: false)
      byChecksum[String(fields[7])] = fields
    }
    let entries = try ModelCatalog.embedded().entries
    let listed = entries.filter { byChecksum[$0.model.sha256] != nil }
    #expect(listed.count >= 9)
    for entry in listed {
      for file in [entry.model, entry.labels].compactMap({ $0 }) {
        let fields = try #require(byChecksum[file.sha256], "\(entry.id)")
        let repository = fields[2].replacing("github.com/", with: "")
        #expect(
          file.url == "https://raw.githubusercontent.com/\(repository)/\(fields[4])/\(fields[3])")
        #expect(String(file.byteCount) == fields[8])
      }
      #expect(entry.license == byChecksum[entry.model.sha256]?[6] ?? "")
    }
  }

  /// Addresses are of a commit, so that they stay, and are where the entry says that it is from.
  @Test func addressesAreThoseOfTheSources() throws {
    for entry in try ModelCatalog.embedded().entries {
      let source = try #require(entry.json.object?["source"]?.object)
      let (repository, commit, path) = (
        try #require(source["repository"]?.string), try #require(source["commit"]?.string),
        try #require(source["path"]?.string)
      )
      #expect(commit.wholeMatch(of: /[0-9a-f]{40}/) != nil)
      #expect(entry.model.sha256.wholeMatch(of: /[0-9a-f]{64}/) != nil)
      let owner = repository.replacing("github.com/", with: "")
      #expect(entry.model.url == "https://raw.githubusercontent.com/\(owner)/\(commit)/\(path)")
    }
  }
}
