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
    for entry in try Self.catalog().entries {
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

  /// The digests against the files themselves, of all that are in the zoo.
  @Test(.enabled(if: SharedFiles.arePresent, "\(SharedFiles.missing)"))
  func digestsAreThoseOfTheZoo() throws {
    let zoo = Set(
      try SharedFiles.paths(in: "zoo", withExtension: "tflite").map {
        try FileSystem.sha256(of: $0)
      })
    let found = try Self.catalog().entries.filter { zoo.contains($0.model.sha256) }.map(\.id)
    #expect(found.count >= 5, "\(found)")
  }

  static func catalog() throws -> ModelCatalog {
    try ModelCatalog(path: CommandSamples.picture.parentPath.parentPath + "/catalog.json")
  }
}
