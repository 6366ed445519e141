import Foundation
import Testing

/// No regular expression of the sources can backtrack exponentially.
///
/// The expressions read untrusted input, and Swift's engine backtracks: with a repetition inside a
/// repetition, a few bytes can take for ever.
@Suite struct RegularExpressionTests {
  /// Returns the contents of the regular expression literals in a line of code.
  private static func literals(in line: some StringProtocol) -> [String] {
    let characters = Array(line)
    var literals: [String] = []
    var position = 0
    while let start = characters[position...].firstIndex(of: "/") {
      position = start + 1
      guard position < characters.count, start == 0 || " (#,".contains(characters[start - 1]),
        !" /*".contains(characters[position]), let end = endOfLiteral(characters, from: position)
      else {
        if position < characters.count, characters[position] == "/" { break }
        continue
      }
      literals.append(String(characters[position..<end]))
      position = end + 1
    }
    return literals
  }

  private static func endOfLiteral(_ characters: [Character], from start: Int) -> Int? {
    var isEscaped = false
    var isClass = false
    for position in start..<characters.count {
      switch characters[position] {
      case _ where isEscaped: isEscaped = false
      case "\\": isEscaped = true
      case "[": isClass = true
      case "]": isClass = false
      case "/" where !isClass: return position
      default: break
      }
    }
    return nil
  }

  /// Whether an unbounded repetition lies inside a group that is itself repeated.
  static func isNested(_ expression: String) -> Bool {
    // For each open group, whether it contains a repetition.
    var groups = [false]
    var isClosed = false
    var closedHoldsRepetition = false
    var (isEscaped, isClass) = (false, false)
    for character in expression {
      let wasClosed = isClosed
      isClosed = false
      switch character {
      case _ where isEscaped: isEscaped = false
      case "\\": isEscaped = true
      case "]": isClass = false
      case _ where isClass: break
      case "[": isClass = true
      case "(": groups.append(false)
      case ")":
        closedHoldsRepetition = groups.popLast() ?? false
        if groups.isEmpty { groups = [false] }
        groups[groups.count - 1] = groups[groups.count - 1] || closedHoldsRepetition
        isClosed = true
      case "*", "+":
        if wasClosed, closedHoldsRepetition { return true }
        groups[groups.count - 1] = true
      case "{": if wasClosed, closedHoldsRepetition { return true }
      default: break
      }
    }
    return false
  }

  @Test func noRepetitionIsInsideOfARepetition() throws {
    var count = 0
    for file in try Repository.swiftFiles(in: "Sources") {
      for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
        for expression in Self.literals(in: line) {
          count += 1
          #expect(!Self.isNested(expression), "\(file.lastPathComponent): \(expression)")
        }
      }
    }
    #expect(count > 0)
  }

  /// Readers of files use hand-written parsers: files are long, and regular expressions are slow.
  @Test func filesAreReadWithoutExpressions() throws {
    for folder in ["Vision", "Imaging", "JSON", "ModelFile", "Arrays", "Audit", "Commands"] {
      for file in try Repository.swiftFiles(in: "Sources/\(folder)") {
        let text = try String(contentsOf: file, encoding: .utf8)
        let found = text.split(separator: "\n").flatMap { Self.literals(in: $0) }
        #expect(found.isEmpty, "\(file.lastPathComponent): \(found)")
        #expect(!text.contains("Regex"), "\(file.lastPathComponent)")
      }
    }
  }

  @Test(arguments: [
    (#"(#.*\s+)*item"#, true), ("(a+)+", true), ("((a*)b)*", true), ("(a*){3}", true),
    (#"127(\.[0-9]{1,3}){3}"#, false), ("[(a+)+]*", false), (#"\(a+\)+"#, false), ("(a+)?b", false),
  ])
  func nestingIsSeen(expression: String, isNested: Bool) {
    #expect(Self.isNested(expression) == isNested)
  }

  @Test func literalsAreSeen() {
    #expect(
      Self.literals(in: "text.wholeMatch(of: /a[/]b/) ?? a / b / c // of: /d/") == ["a[/]b"])
    #expect(Self.literals(in: "let x = #/curl: +/#, y = /b/") == ["curl: +", "b"])
  }
}
