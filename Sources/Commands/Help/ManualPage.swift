/// The manual page, generated from the definitions of the commands with roff's `man` macros.
enum ManualPage {
  /// The source text for `man`.
  static var source: String {
    """
    .TH OCELLUS 1 "" "ocellus \(Program.version)" "User Commands"
    .nh
    .SH NAME
    ocellus \\- \(escaped(Program.summary))
    .SH SYNOPSIS
    .SY ocellus
    .I COMMAND
    .RI [ ARGUMENTS ]
    .YS
    .SH DESCRIPTION
    The program consists of commands.
    Options may come in any order, as \(bold("--name")) \\fIVALUE\\fR or \
    \(bold("--name="))\\fIVALUE\\fR; behind \(bold("--")) arguments are never options.
    \(entries(Program.options.map { (bold($0.name), $0.help + ".") }))
    .SH COMMANDS
    \(Program.commands.map { section(about: $0.definition) }.joined())\
    .SH EXIT STATUS
    \(entries(ExitCode.allCases.map { (bold("\($0.rawValue)"), $0.meaning) }))
    .SH ENVIRONMENT
    \(entries(environment.map { (bold($0.name), $0.help) }))

    """
  }

  private static let environment: [(name: String, help: String)] = [
    (
      "OCELLUS_ISA",
      """
      Limits the kernels to an instruction set and those below it; 'ocellus cpu' lists them. It is an \
      error when the processor lacks it.
      """
    ),
    (
      "OCELLUS_DETECTOR, OCELLUS_LABELER",
      """
      The models that are taken without --model to find objects and to classify pictures: paths, or names \
      of models that were pulled.
      """
    ),
    (
      "OCELLUS_MODELS",
      """
      The folder with the package's models, which are taken without --model when no other was chosen, and \
      with the catalogue that 'ocellus models' shows.
      """
    ),
  ]

  private static func section(about definition: CommandDefinition) -> String {
    let operand = definition.operand.map { " \\fI\(escaped($0.usage))\\fR" } ?? ""
    var page = """
      .SS ocellus \(definition.name)\(operand) [\\fIOPTIONS\\fR]
      \(paragraphs(definition.summary))

      """
    if let operand = definition.operand {
      page += entries([(italic(operand.placeholder), operand.help)]) + "\n"
    }
    page += entries(definition.options.map { (term(for: $0), $0.help) }) + "\n"
    if !definition.discussion.isEmpty { page += ".PP\n\(paragraphs(definition.discussion))\n" }
    for example in definition.examples {
      page += """
        .PP
        \(paragraphs(example.purpose))
        .PP
        .nf
        .RS
        ocellus \(definition.name) \(escaped(example.arguments))
        .RE
        .fi

        """
    }
    return page
  }

  private static func term(for option: OptionDefinition) -> String {
    option.spellings.map(bold).joined(separator: ", ")
      + (option.placeholder.map { " \(italic($0))" } ?? "")
  }

  /// Returns terms with explanations below them.
  private static func entries(_ entries: [(term: String, text: String)]) -> String {
    entries.map { ".TP\n\($0.term)\n\(paragraphs($0.text))" }.joined(separator: "\n")
  }

  private static func bold(_ text: String) -> String { "\\fB\(escaped(text))\\fR" }

  private static func italic(_ text: String) -> String { "\\fI\(escaped(text))\\fR" }

  /// Returns the text with each line as a paragraph.
  private static func paragraphs(_ text: String) -> String {
    text.split(separator: "\n").map { escaped(String($0)) }.joined(separator: "\n.PP\n")
  }

  /// Escapes a text so that roff prints every character unchanged.
  ///
  /// Otherwise it would replace hyphens and quotes by typographic ones, which a shell does not
  /// accept, and interpret lines that begin with a dot as requests.
  private static func escaped(_ text: String) -> String {
    var result = text.hasPrefix(".") ? "\\&" : ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\": result += "\\e"
      case "-": result += "\\-"
      case "'": result += "\\(aq"
      case "`": result += "\\(ga"
      case "^": result += "\\(ha"
      case "~": result += "\\(ti"
      case _ where scalar.isASCII: result.unicodeScalars.append(scalar)
      default:
        let digits = String(scalar.value, radix: 16, uppercase: true)
        let zeros = String(repeating: "0", count: max(0, 4 - digits.count))
        result += "\\[u\(zeros)\(digits)]"
      }
    }
    return result
  }
}
