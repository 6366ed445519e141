/// The shells for which completion is available.
enum Shell: String, CaseIterable {
  case bash
  case zsh
  case fish

  /// Returns the script that completes these commands.
  func completion(of commands: [CommandDefinition]) -> String {
    switch self {
    case .bash: BashCompletion(commands: commands).script
    case .zsh: ZshCompletion(commands: commands).script
    case .fish: FishCompletion(commands: commands).script
    }
  }
}
