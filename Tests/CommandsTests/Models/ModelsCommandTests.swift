import Foundation
import OcellusJSON
import OcellusPlatform
import OcellusStore
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
    #expect(info.output.contains("ocellus models pull food-ssd-fpnlite"))
  }

  @Test(arguments: [
    ["info", "coco-ssd"], ["fetch"], ["list", "x"], ["pull"], ["path"], ["path", "a", "b"],
    ["pull", "a", "--sha256", "00"], ["serve-manifest"],
  ])
  func wrongUsage(arguments: [String]) {
    #expect(ProgramRun(["models"] + arguments).code == 2)
  }

  /// Entries agree with an independent manifest in each file's repository, path, commit and
  /// checksum.
  @Test(.enabled(if: SharedFiles.arePresent, "\(SharedFiles.missing)"))
  func entriesAgreeWithTheManifest() throws {
    let manifest = try String(
      contentsOfFile: SharedFiles.folder.path + "/zoo/MANIFEST.tsv", encoding: .utf8)
    var byChecksum: [String: [Substring]] = [:]
    for line in manifest.split(separator: "\n").dropFirst() {
      let fields = line.split(separator: "\t", omittingEmptySubsequences: false)
      byChecksum[String(fields[7])] = fields
    }
    let entries = try Self.catalog().entries
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

  /// Digests equal those of the zoo's files with the same source.
  @Test(.enabled(if: SharedFiles.arePresent, "\(SharedFiles.missing)"))
  func digestsAreThoseOfTheZoo() throws {
    let zoo = SharedFiles.folder.path + "/zoo/"
    let manifest = try String(contentsOfFile: zoo + "MANIFEST.tsv", encoding: .utf8)
    var files: [String: String] = [:]
    for line in manifest.split(separator: "\n").dropFirst() {
      let fields = line.split(separator: "\t", omittingEmptySubsequences: false)
      files["\(fields[2])/\(fields[3])"] = zoo + fields[0]
    }
    var found = 0
    for entry in try Self.catalog().entries {
      let source = try #require(entry.json.object?["source"]?.object)
      let place = "\(source["repository"]?.string ?? "")/\(source["path"]?.string ?? "")"
      guard let file = files[place], FileSystem.exists(file) else { continue }
      #expect(try FileSystem.sha256(of: file) == entry.model.sha256, "\(entry.id)")
      #expect(FileSystem.byteCount(of: file) == entry.model.byteCount, "\(entry.id)")
      found += 1
    }
    #expect(found >= 9)
  }

  /// URLs name a commit, which makes them permanent, and belong to the entry's source.
  @Test func addressesAreThoseOfTheSources() throws {
    for entry in try Self.catalog().entries {
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

  static let catalogPath = PackageFiles.path("Models/catalog.json")

  static func catalog() throws -> ModelCatalog { try ModelCatalog(path: catalogPath) }
}
