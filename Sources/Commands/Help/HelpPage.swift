/// Help pages, generated from the definitions of the commands.
enum HelpPage {
  private static let width = 80

  /// The help page of the program, with the list of commands.
  static var program: String {
    var page = """
      \(Program.summary)

      usage: ocellus COMMAND [ARGUMENTS]


      """
    let entries = Program.commands.map { command in
      (term: command.definition.name, text: command.definition.summary)
    }
    page += list(title: "Commands", entries)
    page += """

      'ocellus help COMMAND' explains one. --version prints the version.
      Exit codes: \(exitCodes).

      """
    return page
  }

  private static var exitCodes: String {
    ExitCode.allCases.map { "\($0.rawValue) \($0.meaning)" }.joined(separator: ", ")
  }

  /// Returns the help page of a command.
  static func page(for definition: CommandDefinition) -> String {
    var page = definition.summary + "\n\n"
    page += "usage: ocellus \(definition.name)"
    if let operand = definition.operand { page += " \(operand.usage)" }
    page += " [OPTIONS]\n\n"
    if let operand = definition.operand {
      page += list(title: nil, [(term: operand.placeholder, text: operand.help)]) + "\n"
    }
    page += list(title: "Options", definition.options.map { (term: $0.usage, text: $0.help) })
    if !definition.discussion.isEmpty {
      page += "\n" + wrapped(definition.discussion, width: width).joined(separator: "\n") + "\n"
    }
    if !definition.examples.isEmpty {
      page += "\nExamples:\n"
      for example in definition.examples {
        page += "  ocellus \(definition.name) \(example.arguments)\n      \(example.purpose)\n"
      }
    }
    return page
  }

  /// Returns terms with explanations beside them, or below if a term is too long.
  private static func list(title: String?, _ entries: [(term: String, text: String)]) -> String {
    let longest = entries.map(\.term.count).filter { $0 <= 24 }.max() ?? 24
    let indent = String(repeating: " ", count: longest + 4)
    var page = title.map { "\($0):\n" } ?? ""
    for (term, text) in entries {
      let lines = wrapped(text, width: width - indent.count)
      if term.count > longest {
        page += "  \(term)\n" + lines.map { indent + $0 + "\n" }.joined()
      } else {
        let padding = String(repeating: " ", count: longest - term.count)
        page += "  \(term)\(padding)  " + lines.joined(separator: "\n" + indent) + "\n"
      }
    }
    return page
  }

  /// Returns the lines of a text wrapped at `width`; existing line breaks stay.
  static func wrapped(_ text: String, width: Int) -> [String] {
    text.split(separator: "\n", omittingEmptySubsequences: false).flatMap { paragraph in
      var lines: [String] = []
      var line = ""
      for word in paragraph.split(separator: " ") {
        if !line.isEmpty, line.count + 1 + word.count > width {
          lines.append(line)
          line = ""
        }
        line += (line.isEmpty ? "" : " ") + word
      }
      return lines + [line]
    }
  }
}
