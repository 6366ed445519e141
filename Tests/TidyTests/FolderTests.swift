import Foundation
import Testing

/// Folders and type names follow the architecture page.
@Suite struct FolderTests {
  private static let operators = "Sources/Engine/Ops"
  private static let mostFiles = 25

  private static func text(_ file: URL) throws -> String {
    try String(contentsOf: file, encoding: .utf8)
  }

  /// Returns the folder directly below `path` that contains a file, or "" for files elsewhere.
  private static func subject(_ file: URL, below path: String) -> String {
    let parts = file.path.components(separatedBy: "/\(path)/")
    guard parts.count == 2 else { return "" }
    return parts[1].split(separator: "/").first.map(String.init) ?? ""
  }

  @Test func foldersAreNamedAfterSubjects() throws {
    let vague: Set = ["Support", "Tuned", "Utilities", "Utils", "Helpers", "Misc", "Common"]
    for top in ["Sources", "Tests"] {
      var counts: [String: Int] = [:]
      for file in try Repository.swiftFiles(in: top) {
        let folder = file.deletingLastPathComponent()
        counts[folder.path, default: 0] += 1
        #expect(!vague.contains(folder.lastPathComponent), "\(folder.path)")
      }
      for (folder, count) in counts {
        #expect(count <= Self.mostFiles, "\(folder) has \(count) files")
      }
    }
  }

  /// Every folder of operators has a row of the map, and every folder of kernels is mentioned in it.
  @Test func everyFolderIsInTheMap() throws {
    let page = try Self.text(
      Repository.root.appending(path: "Sources/Engine/Engine.docc/Architecture.md"))
    let subjects = try Repository.folders(in: Self.operators)
    #expect(subjects.count > 10)
    for subject in subjects { #expect(page.contains("| `\(subject)` |"), "no row for \(subject)") }
    for path in ["Sources/KernelABI", "Sources/Kernels/Shared", "Tests/KernelTests"] {
      for folder in try Repository.folders(in: path) where folder != "Guards" {
        #expect(page.contains("`\(folder)`"), "\(path)/\(folder)")
      }
    }
    for folder in try Repository.folders(in: "Tests/EngineTests/Ops") {
      #expect(subjects.contains(folder), "Tests/EngineTests/Ops/\(folder)")
    }
  }

  /// The folder `Numbers` holds only types that several operator folders use.
  @Test func sharedNumbersAreShared() throws {
    let files = try Repository.swiftFiles(in: "Sources/Engine")
    let texts = try files.map { try Self.text($0) }
    let words = texts.map { Set($0.split { !$0.isLetter && !$0.isNumber && $0 != "_" }) }
    let declaration = /\n(?:package |public )?(?:final )?(?:struct|class|enum|protocol) (\w+)/
    for (index, file) in files.enumerated()
    where Self.subject(file, below: Self.operators) == "Numbers" {
      let types = texts[index].matches(of: declaration).map(\.1)
      if types.isEmpty { continue }
      let users = files.indices.filter { other in
        other != index && types.contains { words[other].contains($0) }
      }
      let folders = Set(users.map { Self.subject(files[$0], below: Self.operators) })
      #expect(folders.count > 1, "\(file.lastPathComponent) is used by \(folders) only")
    }
  }

  /// No type of the engine has the name of a type of the kernels.
  @Test func namesOfTypesAreUnique() throws {
    let declaration =
      /\n(?:@\w+ )*(?:public |package |private |fileprivate |final )*(?:struct|class|enum|protocol|actor) (\w+)/
    var owners: [String: Set<String>] = [:]
    for module in ["Engine", "KernelABI", "Kernels/Shared"] {
      for file in try Repository.swiftFiles(in: "Sources/\(module)") {
        for match in try ("\n" + Self.text(file)).matches(of: declaration) {
          owners[String(match.1), default: []].insert(module)
        }
      }
    }
    #expect(owners.count > 300)
    for (name, modules) in owners {
      #expect(modules.count == 1, "\(name) is a type in \(modules.sorted())")
    }
  }

  @Test func onlyExecutionRunsSubgraphs() throws {
    for file in try Repository.swiftFiles(in: "Sources")
    where try Self.text(file).contains("extension SubgraphRunner") {
      #expect(file.deletingLastPathComponent().lastPathComponent == "Execution", "\(file.path)")
    }
  }
}
