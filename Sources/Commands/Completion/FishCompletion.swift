/// Completion for fish, with one line per completion.
struct FishCompletion {
  let commands: [CommandDefinition]

  /// The script.
  var script: String {
    var lines = [
      "# Completion of ocellus for fish, as 'ocellus completion fish' prints it.",
      "",
      "function __ocellus_command_is",
      "    set -l words (commandline -opc)",
      "    test \"$words[2]\" = \"$argv[1]\"",
      "end",
      "",
      "complete -c ocellus -f",
    ]
    let atStart = "complete -c ocellus -n '__ocellus_command_is \"\"'"
    for option in Program.options {
      lines.append("\(atStart) -l \(option.name.drop { $0 == "-" }) -d \(quoted(option.help))")
    }
    for command in commands {
      lines.append("\(atStart) -a \(command.name) -d \(quoted(command.summary))")
    }
    for command in commands {
      let start = "complete -c ocellus -n '__ocellus_command_is \(command.name)'"
      lines.append("")
      lines += command.options.map { "\(start) \(arguments(for: $0))" }
      if let operand = command.operand { lines.append("\(start) \(offer(operand.accepted))") }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private func arguments(for option: OptionDefinition) -> String {
    let letter = option.letter.map { "-s \($0) " } ?? ""
    let value = option.placeholder == nil ? "" : "-r \(offer(option.accepted)) "
    return "\(letter)-l \(option.name) \(value)-d \(quoted(option.brief))"
  }

  private func offer(_ values: AcceptedValues) -> String {
    switch values {
    case .text: "-f"
    case .words(let words): "-f -a \(quoted(words.joined(separator: " ")))"
    case .commandName: offer(.words(commands.map(\.name)))
    case .file, .model, .newFile: "-F"
    case .newFolder: "-f -a '(__fish_complete_directories)'"
    }
  }

  private func quoted(_ text: String) -> String {
    "'\(text.replacing("\\", with: #"\\"#).replacing("'", with: #"\'"#))'"
  }
}
