import Foundation
import OcellusTestSupport
import Testing

@testable import OcellusCommands

@Suite struct CompletionCommandTests {
  @Test(arguments: Shell.allCases)
  func everyCommandAndOptionIsThere(shell: Shell) throws {
    let run = ProgramRun("completion", shell.rawValue)
    #expect(run.code == 0)
    for definition in Program.commands.map({ $0.definition }) {
      let part = try #require(run.output.part(about: definition, of: shell))
      for option in definition.options {
        let spelling = shell == .fish ? "-l \(option.name) " : "--\(option.name)"
        #expect(part.contains(spelling), "\(definition.name) \(option.name)")
        if let letter = option.letter {
          #expect(part.contains(shell == .fish ? "-s \(letter) " : "-\(letter)"))
        }
        guard case .words(let words) = option.accepted else { continue }
        #expect(part.contains(words.joined(separator: " ")), "\(definition.name) \(option.name)")
      }
    }
  }

  @Test func shellsThatNobodyKnowsAreWrongUsage() {
    let run = ProgramRun("completion", "fsh")
    #expect(run.code == 2)
    #expect(run.errors.contains("bash, zsh, fish, not for 'fsh'; did you mean 'zsh'?"))
  }

  @Test(.enabled(if: Executable.isThere("zsh")))
  func zshUnderstandsItsScript() throws {
    #expect(try Executable.errors(of: "zsh", ["-fn"], with: script(for: .zsh)).isEmpty)
  }

  @Test(.enabled(if: Executable.isThere("fish")))
  func fishUnderstandsItsScript() throws {
    #expect(try Executable.errors(of: "fish", ["--no-execute"], with: script(for: .fish)).isEmpty)
  }

  /// Typed words of a command line, and the completions of the last one.
  static let bashLines: [(line: [String], offer: String)] = [
    (["de"], "detect"),
    (["--v"], "--version"),
    (["detect", "--thr"], "--threads --threshold"),
    (["detect", "-"], "-m --model"),
    (["detect", "--fit", "let"], "letterbox letterbox-corner"),
    (["detect", "--fit", "="], "stretch letterbox letterbox-corner crop"),
    (["detect", "--fit", "=", "cr"], "crop"),
    (["detect", "photo.jpg", "--colors", ""], "rgb bgr"),
    (["detect", "--threads", ""], ""),
    (["detect", "ph"], "compopt -o default"),
    (["detect", "-m", ""], "compopt -o default"),
    (["run", "model.tflite", "-o", ""], "compopt -o dirnames"),
    (["models", ""], "list pull default info verify remove path serve-manifest"),
    (["help", "det"], "detect"),
    (["completion", ""], "bash zsh fish"),
    (["cpu", ""], ""),
  ]

  @Test(.enabled(if: Executable.isThere("bash")), arguments: bashLines)
  func bashCompletes(line: [String], offer: String) throws {
    // Bash calls the function registered with `complete`, with the words in COMP_WORDS; compopt
    // works in interactive shells only.
    let words = (["ocellus"] + line).map { "'\($0)'" }.joined(separator: " ")
    let output = try Executable.output(
      of: "bash", ["--norc"],
      with: """
        \(script(for: .bash))
        compopt() { echo compopt "$@"; }
        COMP_WORDS=(\(words))
        COMP_CWORD=\(line.count)
        "$(complete -p ocellus | cut -d ' ' -f 3)"
        echo "${COMPREPLY[@]}"
        """)
    let offered = output.trimmingCharacters(in: .whitespacesAndNewlines)
    #expect(line == ["detect", "-"] ? offered.hasPrefix(offer) : offered == offer)
  }

  private func script(for shell: Shell) -> String {
    ProgramRun("completion", shell.rawValue).output
  }
}

extension String {
  /// Returns the part of a script about one command, after the list of all commands.
  fileprivate func part(about definition: CommandDefinition, of shell: Shell) -> Substring? {
    let (start, end) =
      switch shell {
      case .bash: ("\n    \(definition.name))\n", "\n      esac\n")
      case .zsh: ("\n        \(definition.name))\n", "\n          ;;\n")
      case .fish: ("__ocellus_command_is \(definition.name)'", "\n\n")
      }
    guard let start = firstRange(of: start)?.upperBound else { return nil }
    let rest = self[start...]
    return rest.firstRange(of: end).map { rest[..<$0.lowerBound] } ?? rest
  }
}
