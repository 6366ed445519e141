/// `ocellus completion`: prints a script that completes command lines in a shell.
struct CompletionCommand: Command {
  static let definition = CommandDefinition(
    name: "completion", summary: "Print a script with which a shell completes command lines.",
    operand: OperandDefinition(
      "SHELL", accepts: .words(Shell.allCases.map(\.rawValue)),
      help: Shell.allCases.map(\.rawValue).joined(separator: ", ")),
    discussion: """
      The script contains the commands, their options and the words that these accept, and \
      starts no program. 'make install' installs it for each shell.
      """,
    examples: [
      .init(
        arguments: "bash > ~/.local/share/bash-completion/completions/ocellus", purpose: "Bash."),
      .init(arguments: "zsh > ~/.zfunc/_ocellus", purpose: "Zsh, with ~/.zfunc in fpath."),
      .init(arguments: "fish > ~/.config/fish/completions/ocellus.fish", purpose: "Fish."),
    ])

  private let shell: Shell

  init(_ arguments: ParsedArguments) throws(UsageError) {
    let name = arguments.operands[0]
    guard let shell = Shell(rawValue: name) else {
      let known = Shell.allCases.map(\.rawValue)
      throw UsageError(
        "there are scripts for \(known.joined(separator: ", ")), not for '\(name)'"
          + Suggestion.text(for: name, among: known))
    }
    self.shell = shell
  }

  func run(in context: CommandContext) throws -> ExitCode {
    try context.write(shell.completion(of: Program.commands.map { $0.definition }))
    return .success
  }
}
