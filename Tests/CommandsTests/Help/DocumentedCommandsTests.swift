import Foundation
import OcellusPlatform
import OcellusTestSupport
import Testing

@testable import OcellusCommands

/// Command lines in the documentation and in the help are valid.
@Suite struct DocumentedCommandsTests {
  private static let root = PackageFiles.folder

  /// The READMEs, and the pages of the modules' documentation.
  private static var pages: [URL] {
    let sources = FileManager.default.enumerator(
      at: root.appending(path: "Sources"), includingPropertiesForKeys: nil)
    let names = ["README.md", "Models/README.md", "Benchmarks/README.md"]
    return names.map { root.appending(path: $0) }
      + (sources?.compactMap { $0 as? URL } ?? []).filter { $0.pathExtension == "md" }
  }

  @Test func linesOfThePagesAreUnderstood() throws {
    var count = 0
    for page in Self.pages {
      for line in try Self.lines(of: page) where line.hasPrefix("    ") || line.hasPrefix("$ ") {
        let command = line.drop { " $".contains($0) }
        count += try check(command, on: page.lastPathComponent)
      }
    }
    #expect(count >= 8, "that were all: \(count)")
  }

  /// Prose may name a command with one option and without its files.
  @Test func optionsInTheTextOfThePagesExist() throws {
    var count = 0
    for page in Self.pages {
      for line in try Self.lines(of: page) where !line.hasPrefix("    ") {
        for code in line.split(separator: "`", omittingEmptySubsequences: false).enumerated()
        where code.offset % 2 == 1 && code.element.hasPrefix("ocellus ") {
          let words = code.element.split(separator: " ").map(String.init).dropFirst()
          guard let name = words.first, name.first != "-" else { continue }
          let options = try Program.command(named: name).definition.options
          for word in words where word.hasPrefix("--") {
            #expect(options.contains { $0.spellings.contains(word) }, "\(page): \(code.element)")
          }
          count += 1
        }
      }
    }
    #expect(count >= 10, "that were all: \(count)")
  }

  @Test(arguments: Program.commands.map { $0.definition })
  func examplesOfTheHelpAreUnderstood(definition: CommandDefinition) throws {
    for example in definition.examples {
      #expect(try check("ocellus \(definition.name) \(example.arguments)"[...], on: "help") > 0)
    }
  }

  /// Parses a line as a shell does and creates its commands, which reject wrong options.
  ///
  /// Returns the number of commands of ocellus.
  private func check(_ line: Substring, on page: String) throws -> Int {
    var count = 0
    for part in line.split(separator: "|") {
      // A '#' inside a word does not begin a comment.
      let words = part.split(separator: " ").map(String.init)
        .prefix { word in word.first.map { !"#<>".contains($0) } ?? true }.drop { $0.contains("=") }
      guard words.first == "ocellus", let name = words.dropFirst().first else { continue }
      count += 1
      do {
        let command = try Program.command(named: name)
        let parsed = try ArgumentParser(command.definition).parse(Array(words.dropFirst(2)))
        _ = try command.init(parsed)
      } catch {
        Issue.record("\(page): \(part): \(error)")
      }
    }
    return count
  }

  private static func lines(of page: URL) throws -> [String] {
    try String(contentsOf: page, encoding: .utf8).split(separator: "\n").map(String.init)
  }
}
