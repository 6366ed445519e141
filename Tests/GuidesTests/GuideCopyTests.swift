import Foundation
import OcellusTestSupport
import Testing

/// Our copies contain exactly the lines of the guides' code, except changed lines, which quote the
/// original.
@Suite(.enabled(if: SharedFiles.arePresent, "\(SharedFiles.missing)"))
struct GuideCopyTests {
  private static let copies: [(guide: String, copy: String)] = [
    (guide: "000.txt", copy: "CustomModelGuide.swift"),
    ("004.txt", "CustomModelGuide.swift"), ("001.txt", "FirebaseObjectsGuide.swift"),
    ("002.txt", "AutoMLObjectsGuide.swift"), ("003.txt", "AutoMLLabelsGuide.swift"),
  ]

  private func text(_ url: URL) throws -> [String] {
    try String(contentsOf: url, encoding: .utf8).components(separatedBy: "\n").map {
      $0.trimmingCharacters(in: .whitespaces)
    }
  }

  /// Returns the lines between the headings "Swift" and "Objective-C", also in translated guides.
  private func guideLines(_ name: String) throws -> Set<String> {
    var lines: Set<String> = []
    var isSwift = false
    for line in try text(SharedFiles.folder.appending(path: "guides/\(name)")) {
      if ["Swift", "Schnell", "Rapide"].contains(line) { isSwift = true; continue }
      if ["Objective-C", "Ziel c", "Objectif c"].contains(line) { isSwift = false }
      if isSwift, !line.isEmpty, !line.hasPrefix("pod '") { lines.insert(line) }
    }
    return lines
  }

  /// Returns the lines between the marks, changed lines in their original form.
  private func copiedLines(_ name: String) throws -> Set<String> {
    var lines: Set<String> = []
    var isGuide = false
    let folder = URL(filePath: #filePath).deletingLastPathComponent()
    for line in try text(folder.appending(path: name)) {
      if line == "// guide {" || line == "// }" {
        isGuide = line == "// guide {"
      } else if isGuide, !line.isEmpty {
        lines.insert(line.components(separatedBy: "  // was: ").last ?? line)
      }
    }
    return lines
  }

  @Test(arguments: copies)
  func everyLineIsTheGuides(guide: String, copy: String) throws {
    let (theirs, ours) = (try guideLines(guide), try copiedLines(copy))
    #expect(theirs.count > 40)
    #expect(theirs.subtracting(ours).sorted() == [])
    #expect(ours.subtracting(theirs).sorted() == [])
  }

  /// Nine lines had to change, none of them because a type is missing here.
  @Test func changedLinesAreFew() throws {
    let folder = URL(filePath: #filePath).deletingLastPathComponent()
    let changed = try Set(Self.copies.map(\.copy)).flatMap { copy in
      try text(folder.appending(path: copy)).filter { $0.contains("  // was: ") }
    }
    #expect(changed.count == 9)
  }
}
