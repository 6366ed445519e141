import Foundation
import Testing

/// Folders and type names follow the architecture page.
@Suite struct RoomTests {
  private static let operators = "Sources/Engine/Ops"
  private static let mostFiles = 25

  private static func text(_ file: URL) throws -> String {
    try String(contentsOf: file, encoding: .utf8)
  }

  /// Returns the folder directly below `path` that contains a file, or "" for files elsewhere.
  private static func room(_ file: URL, below path: String) -> String {
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

  @Test func everyRoomIsInTheMap() throws {
    let page = try Self.text(
      Repository.root.appending(path: "Sources/Engine/Engine.docc/Architecture.md"))
    let rooms = try Repository.folders(in: Self.operators)
    #expect(rooms.count > 10)
    for room in rooms { #expect(page.contains("| `\(room)` |"), "no line for \(room)") }
    for folder in ["Sources/KernelABI", "Sources/Kernels/Shared", "Tests/KernelTests"] {
      for room in try Repository.folders(in: folder) {
        #expect(
          rooms.contains(room) || ["Guards", "Inspection", "Pictures"].contains(room),
          "\(folder)/\(room)")
      }
    }
    for room in try Repository.folders(in: "Tests/EngineTests/Ops") {
      #expect(rooms.contains(room), "Tests/EngineTests/Ops/\(room)")
    }
  }

  /// The folder `Numbers` holds only types that several operator folders use.
  @Test func sharedNumbersAreShared() throws {
    let files = try Repository.swiftFiles(in: "Sources/Engine")
    let texts = try files.map { try Self.text($0) }
    let words = texts.map { Set($0.split { !$0.isLetter && !$0.isNumber && $0 != "_" }) }
    let declaration = /\n(?:package |public )?(?:final )?(?:struct|class|enum|protocol) (\w+)/
    for (index, file) in files.enumerated()
    where Self.room(file, below: Self.operators) == "Numbers" {
      let types = texts[index].matches(of: declaration).map(\.1)
      if types.isEmpty { continue }
      let users = files.indices.filter { other in
        other != index && types.contains { words[other].contains($0) }
      }
      let rooms = Set(users.map { Self.room(files[$0], below: Self.operators) })
      #expect(rooms.count > 1, "\(file.lastPathComponent) is used by \(rooms) only")
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
