/// Completion for bash, with the data in `case` statements.
struct BashCompletion {
  let commands: [CommandDefinition]

  /// The script; it needs bash 4 and nothing else.
  var script: String {
    let names = commands.map(\.name) + Program.options.map(\.name)
    return """
      # Completion of ocellus for bash, as 'ocellus completion bash' prints it.

      _ocellus_words() {
        COMPREPLY=($(compgen -W "$1" -- "$word"))
      }

      # With nothing in COMPREPLY readline itself looks for files: it knows about quotes and tildes.
      _ocellus_path() {
        compopt -o "$1"
      }

      _ocellus() {
        local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}
        COMPREPLY=()
        if [ "$COMP_CWORD" = 1 ]; then
          _ocellus_words '\(names.joined(separator: " "))'
          return
        fi
        # Bash takes --fit=crop for three words.
        if [ "$word" = = ]; then
          word=
        elif [ "$before" = = ]; then
          before=${COMP_WORDS[COMP_CWORD - 2]}
        fi
        case ${COMP_WORDS[1]} in
      \(commands.map(branch).joined(separator: "\n"))
        esac
      }

      complete -F _ocellus ocellus

      """
  }

  private func branch(for command: CommandDefinition) -> String {
    let options = command.options.flatMap(\.spellings).joined(separator: " ")
    var lines = ["    \(command.name))", "      case $before in"]
    for option in command.options where option.placeholder != nil {
      let action = action(offering: option.accepted)
      lines.append("        \(option.spellings.joined(separator: " | "))) \(action) ;;")
    }
    lines += [
      "        *)",
      "          case $word in",
      "            -*) _ocellus_words '\(options)' ;;",
    ]
    if let operand = command.operand {
      lines.append("            *) \(action(offering: operand.accepted)) ;;")
    }
    lines += ["          esac", "          ;;", "      esac", "      ;;"]
    return lines.joined(separator: "\n")
  }

  private func action(offering values: AcceptedValues) -> String {
    switch values {
    case .text: ":"
    case .words(let words): "_ocellus_words '\(words.joined(separator: " "))'"
    case .commandName: action(offering: .words(commands.map(\.name)))
    case .file, .model, .newFile: "_ocellus_path default"
    case .newFolder: "_ocellus_path dirnames"
    }
  }
}
