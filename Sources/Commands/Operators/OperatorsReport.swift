import OcellusEngine
import OcellusJSON

/// The table of operators as text, JSON, and Markdown for the README.
struct OperatorsReport {
  let operators: [OperatorDefinition]
  /// The number of cases by operator; `nil` if they were not counted.
  let caseCounts: [String: Int]?

  /// Directories of cases are named after operators, with characters replaced.
  private func cases(of definition: OperatorDefinition) -> Int? {
    caseCounts?[definition.name.replacing(".", with: "_")]
  }

  private static func versions(_ definition: OperatorDefinition) -> String {
    definition.versions.count == 1
      ? "\(definition.versions.lowerBound)"
      : "\(definition.versions.lowerBound)–\(definition.versions.upperBound)"
  }

  private static func types(_ definition: OperatorDefinition) -> String {
    definition.types.isEmpty ? "any" : definition.types.map(\.name).joined(separator: " ")
  }

  var text: String {
    var columns = [TextTable.Column.left("operator"), .right("versions")]
    if caseCounts != nil { columns.append(.right("cases")) }
    var table = TextTable(columns + [.left("types")])
    for definition in operators {
      var cells = [definition.name, Self.versions(definition)]
      if caseCounts != nil { cells.append("\(cases(of: definition) ?? 0)") }
      table.add(cells + [Self.types(definition)])
    }
    return "\(table.text())\n\(operators.count) operators\n"
  }

  var json: JSONValue {
    [
      "operators": .array(
        operators.map { definition in
          [
            "name": .string(definition.name),
            "versions": .integers([definition.versions.lowerBound, definition.versions.upperBound]),
            "types": .array(definition.types.map { .string($0.name) }),
            "cases": caseCounts == nil ? .null : .integer(cases(of: definition) ?? 0),
          ]
        })
    ]
  }

  /// Only operators that were compared with the official runtime are listed as supported.
  var markdown: String {
    func hasCases(_ definition: OperatorDefinition) -> Bool {
      caseCounts == nil || cases(of: definition) != nil
    }
    var lines = ["| Operator | Versions | Cases | Types |", "|---|---|---|---|"]
    for definition in operators.filter(hasCases) {
      let count = cases(of: definition).map { "\($0)" } ?? ""
      lines.append(
        "| `\(definition.name)` | \(Self.versions(definition)) | \(count) "
          + "| \(Self.types(definition)) |")
    }
    let untested = operators.filter { !hasCases($0) }.map { "`\($0.name)`" }
    if !untested.isEmpty {
      lines += [
        "", "Run as well, but without a recorded case: \(untested.joined(separator: ", ")).",
      ]
    }
    return lines.map { $0 + "\n" }.joined()
  }
}
