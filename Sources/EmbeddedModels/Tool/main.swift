// Writes Swift source code with files as base64 text: embed-models OUTPUT NAME=FILE…
//
// It uses no module of the package, because SwiftPM builds tools, with all that they use, twice
// more than the rest.
import FoundationEssentials

var source = "/// Files as text of 64 letters.\nenum EmbeddedText {\n"
for argument in CommandLine.arguments.dropFirst(2) {
  let parts = argument.split(separator: "=", maxSplits: 1)
  guard parts.count == 2 else { fatalError("'\(argument)' is no NAME=FILE") }
  let text = try Data(contentsOf: URL(filePath: String(parts[1]))).base64EncodedString()
  source += "  static let \(parts[0]): StaticString = \"\(text)\"\n"
}
source += "}\n"
try Data(source.utf8).write(to: URL(filePath: CommandLine.arguments[1]))
