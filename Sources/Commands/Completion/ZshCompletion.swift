/// Completion for zsh, by its function `_arguments`.
struct ZshCompletion {
  let commands: [CommandDefinition]

  /// The script, for autoloading from a directory of `fpath`; it may be sourced as well.
  var script: String {
    """
    #compdef ocellus
    # Completion of ocellus for zsh, as 'ocellus completion zsh' prints it.

    _ocellus() {
      local curcontext=$curcontext state line
      local -a commands=(
    \(lines(commands.map { quoted("\($0.name):\(menuText($0.summary))") }, indent: 4))
      )
      _arguments -C \\
    \(lines(programArguments, indent: 4, continued: true))
      case $state in
        command) _describe command commands ;;
        arguments)
          case $words[1] in
    \(commands.map(branch).joined(separator: "\n"))
          esac
          ;;
      esac
    }

    if [ "$funcstack[1]" = _ocellus ]; then
      _ocellus "$@"
    else
      compdef _ocellus ocellus
    fi

    """
  }

  private var programArguments: [String] {
    Program.options.map { quoted("(- *)\($0.name)[\(menuText($0.help))]") } + [
      quoted("1: :->command"), quoted("*:: :->arguments"),
    ]
  }

  private func branch(for command: CommandDefinition) -> String {
    var arguments = command.options.map(argument)
    if let operand = command.operand {
      let position = operand.count.upperBound > 1 ? "*" : "1"
      let optional = operand.count.lowerBound == 0 ? ":" : ""
      arguments.append(
        quoted("\(position)\(optional)\(value(operand.placeholder, operand.accepted))"))
    }
    return """
              \(command.name))
                _arguments \\
      \(lines(arguments, indent: 12, continued: true))
                ;;
      """
  }

  /// Formats an option for `_arguments`: `(-m --model)'{-m,--model=}'[help]:MODEL:_files`.
  private func argument(for option: OptionDefinition) -> String {
    var spellings = option.spellings
    var ending = "[\(menuText(option.brief))]"
    if let placeholder = option.placeholder {
      spellings[spellings.count - 1] += "="
      ending += value(placeholder, option.accepted)
    }
    let repeated = option.isRepeatable && option.placeholder != nil
    guard spellings.count > 1 else { return quoted((repeated ? "*" : "") + spellings[0] + ending) }
    let exclusion = repeated ? "*" : "(\(option.spellings.joined(separator: " ")))"
    return "\(quoted(exclusion)){\(spellings.joined(separator: ","))}\(quoted(ending))"
  }

  private func value(_ placeholder: String, _ accepted: AcceptedValues) -> String {
    ":\(menuText(placeholder)):\(action(offering: accepted))"
  }

  private func action(offering values: AcceptedValues) -> String {
    switch values {
    case .text: " "
    case .words(let words): "(\(words.joined(separator: " ")))"
    case .commandName: action(offering: .words(commands.map(\.name)))
    case .file, .model, .newFile: "_files"
    case .newFolder: "_files -/"
    }
  }

  private func lines(_ texts: [String], indent: Int, continued: Bool = false) -> String {
    texts.map { String(repeating: " ", count: indent) + $0 }
      .joined(separator: continued ? " \\\n" : "\n")
  }

  /// Escapes the characters that would end a field of a specification.
  private func menuText(_ text: String) -> String {
    String(text.flatMap { "[]:\\".contains($0) ? ["\\", $0] : [$0] })
  }

  private func quoted(_ text: String) -> String { "'\(text.replacing("'", with: #"'\''"#))'" }
}
