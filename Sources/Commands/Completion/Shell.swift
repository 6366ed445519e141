/// The shells that can complete command lines of this program.
enum Shell: String, CaseIterable {
  case bash
  case zsh
  case fish

  /// The script that teaches the shell these commands.
  func completion(of commands: [CommandDefinition]) -> String {
    switch self {
    case .bash: BashCompletion(commands: commands).script
    case .zsh: ZshCompletion(commands: commands).script
    case .fish: FishCompletion(commands: commands).script
    }
  }
}
